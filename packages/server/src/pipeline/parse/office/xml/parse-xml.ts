/**
 * Streaming XML for office parts, on saxes: elements arrive as events, or as small trees where the handler asks for
 * one. A DOCTYPE is refused, so entities can neither multiply nor reach outside; nothing is ever fetched.
 */
import { SaxesParser } from 'saxes';
import { ContentError } from '../../../../errors.ts';
import { decodeXml } from './decode-xml.ts';
import { NameScope } from './name-scope.ts';
import type { XmlAttributes, XmlElement } from './xml-element.ts';

export interface XmlHandler {
  /** An element starts. Answer true to get it whole through `element` in place of further events. */
  open(name: string, attributes: XmlAttributes): boolean;
  close?(name: string): void;
  text?(text: string): void;
  element?(element: XmlElement): void;
}

export interface XmlOptions {
  /** Old ODF manifests name their DTD; without an internal subset that means nothing and may be passed over. */
  allowPlainDoctype?: boolean;
  /** What nobody reads, cut from the text before it is parsed: parsing costs 10 ms a megabyte, cutting 0.2. */
  strip?: RegExp;
}

/** Readers recurse over trees; Word itself writes fewer than 100 levels. */
const MAX_DEPTH = 400;
/** About 1 GB of small objects. */
const MAX_TREE_NODES = 5_000_000;

export function parseXml(chunks: Iterable<Uint8Array>, handler: XmlHandler, options: XmlOptions = {}): void {
  const parser = new SaxesParser({ position: false });
  connect(parser, handler, options);
  try {
    const texts = options.strip ? [[...decodeXml(chunks)].join('').replaceAll(options.strip, '')] : decodeXml(chunks);
    for (const text of texts) parser.write(text);
    parser.close();
  } catch (error) {
    if (error instanceof XmlError) {
      throw new ContentError('corrupt', 'The file is damaged: it holds malformed XML', { cause: error });
    }
    throw error;
  }
}

/** The whole part as a tree. */
export function parseXmlTree(chunks: Iterable<Uint8Array>, options?: XmlOptions): XmlElement {
  let root: XmlElement | undefined;
  const handler: XmlHandler = {
    open: () => true,
    element(element) {
      root = element;
    },
  };
  parseXml(chunks, handler, options);
  if (!root) throw new ContentError('corrupt', 'The file is damaged: one of its parts is empty');
  return root;
}

class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Faults that writers commit and that do not hide anything: the parser goes on after them. */
const HARMLESS =
  /disallowed character|undefined entity|malformed character entity|attribute value.*<|duplicate attribute/i;

function connect(parser: SaxesParser, handler: XmlHandler, options: XmlOptions): void {
  const scope = new NameScope();
  /** The open elements of the tree under construction, outermost first. */
  const building: XmlElement[] = [];
  let depth = 0;
  let nodes = 0;
  parser.on('doctype', (doctype) => {
    if (options.allowPlainDoctype === true && !doctype.includes('[')) return;
    throw new ContentError(
      'corrupt',
      'The file is refused: its XML declares a document type, which office files never do',
    );
  });
  parser.on('error', (error) => {
    if (!HARMLESS.test(error.message)) throw new XmlError(error.message);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new ContentError('corrupt', 'The file is damaged: its XML is nested too deep');
    const attributes = scope.enter(tag.attributes);
    const name = scope.name(tag.name);
    const parent = building.at(-1);
    if (!parent) nodes = 0;
    if (!parent && !handler.open(name, attributes)) return;
    nodes += 1;
    if (nodes > MAX_TREE_NODES) throw new ContentError('too_large', 'A paragraph or slide of the file is too large');
    const element: XmlElement = { name, attributes, children: [] };
    parent?.children.push(element);
    building.push(element);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    const element = building.pop();
    if (!element) handler.close?.(scope.name(tag.name));
    else if (building.length === 0) handler.element?.(element);
    scope.leave();
  });
  const onText = (text: string): void => {
    const parent = building.at(-1);
    if (parent) parent.children.push(text);
    else handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
}
