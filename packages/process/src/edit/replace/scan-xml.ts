/**
 * Scans XML with exact positions, so that an edit changes only its own range. Built on saxes; rejects a DOCTYPE as the
 * parsers do.
 */
import { SaxesParser } from 'saxes';
import { ContentError } from '@quire/blocks/content-error';
import { NameScope } from '@quire/parse/office/xml/name-scope';
import type { XmlAttributes } from '@quire/parse/office/xml/xml-element';

/** `[start, end)` in the source, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

export interface XmlScanner {
  /**
   * Names are canonical (`w:p`), see `NameScope` of the parsers. A self-closing element also closes, with its own span.
   */
  open?(name: string, span: Span, element: OpenElement): void;
  close?(name: string, span: Span): void;
  /** Decoded character data or CDATA section; the span includes the section's brackets. */
  text?(text: string, span: Span): void;
}

export interface OpenElement {
  attributes: XmlAttributes;
  selfClosing: boolean;
  /** Name as written, with the writer's prefix. */
  rawName: string;
}

const MAX_DEPTH = 400;
const TOLERATED_ERRORS =
  /disallowed character|undefined entity|malformed character entity|attribute value.*<|duplicate attribute/i;

class XmlError extends Error {
  override readonly name = 'XmlError';
}

/**
 * Scans the source. Throws `corrupt` for malformed XML and for a document type with declarations. With `declarations:
 * 'passed over'` they are skipped and never resolved.
 */
export function scanXml(source: string, scanner: XmlScanner, options: { declarations?: 'passed over' } = {}): void {
  const parser: SaxesParser = new SaxesParser({ position: false });
  const scope = new NameScope();
  const names: string[] = [];
  /** End of the preceding markup, where character data begins. */
  let position = 0;
  let selfClosed = false;
  const markup = (): Span => {
    const span = { start: position, end: parser.position };
    position = span.end;
    return span;
  };
  parser.on('error', (error) => {
    if (!TOLERATED_ERRORS.test(error.message)) throw new XmlError(error.message);
  });
  parser.on('doctype', (doctype) => {
    if (options.declarations === undefined && doctype.includes('[')) {
      throw new ContentError('corrupt', 'The file is refused: its XML declares a document type');
    }
    markup();
  });
  for (const event of ['xmldecl', 'comment', 'processinginstruction'] as const) parser.on(event, markup);
  parser.on('text', (text) => {
    // saxes reports text after it has read the `<` that ends it.
    const end = source.charCodeAt(parser.position - 1) === LESS_THAN ? parser.position - 1 : parser.position;
    if (names.length > 0) scanner.text?.(text, { start: position, end });
    position = end;
  });
  parser.on('cdata', (text) => scanner.text?.(text, markup()));
  parser.on('opentag', (tag) => {
    const attributes = scope.enter(tag.attributes);
    const name = scope.name(tag.name);
    names.push(name);
    if (names.length > MAX_DEPTH) throw new ContentError('corrupt', 'The file is damaged: its XML is nested too deep');
    selfClosed = tag.isSelfClosing;
    scanner.open?.(name, markup(), { attributes, selfClosing: tag.isSelfClosing, rawName: tag.name });
  });
  parser.on('closetag', () => {
    const name = names.pop() ?? '';
    const span = selfClosed ? { start: position, end: position } : markup();
    selfClosed = false;
    scanner.close?.(name, span);
    scope.leave();
  });
  try {
    parser.write(source).close();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ContentError('corrupt', 'The file is damaged: it holds malformed XML', { cause: error });
  }
}

const LESS_THAN = 60;

/** Escapes text for element content. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
