/**
 * Finds the texts of office parts. A text is what a reader of the document sees as one line, with the runs that it
 * consists of.
 */
import type { Encoded, SplitText, Piece } from '../replace/split-text.ts';
import { escapeXml, scanXml, type OpenElement, type Span } from '../replace/scan-xml.ts';

/**
 * Elements that each hold one text. ODF paragraphs hold characters directly, the others hold them in text elements of
 * runs.
 */
const CONTAINERS = new Set(['w:p', 'a:p', 'si', 'is', 'text', 'text:p', 'text:h']);
const TEXT_ELEMENTS = new Set(['w:t', 'w:delText', 'a:t', 't', 'm:t']);
const ODF_CONTAINERS = new Set(['text:p', 'text:h']);
/** Elements whose content is not part of the enclosing paragraph's text. */
const SEPARATE_ELEMENTS = new Set(['rPh', 'office:annotation', 'text:note', 'text:tracked-changes', 'text:ruby-text']);
const FIXED: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '\u2011',
  'a:br': '\n',
  'text:tab': '\t',
  'text:line-break': '\n',
};

/** Position of a table row in the source, with the texts inside it. */
export interface RowSpan extends Span {
  texts: SplitText[];
}

export interface PartTexts {
  texts: SplitText[];
  /** Table rows, inner rows before the rows around them; each with the texts inside it. */
  rows: RowSpan[];
}

const VALUE_CELLS = new Set(['table:table-cell', 'table:covered-table-cell']);
const ROWS = new Set(['w:tr', 'a:tr', 'table:table-row']);

interface OpenText {
  splitText: SplitText;
  /** Runs deleted under change tracking, which form a text of their own. */
  deleted: SplitText;
  element: string;
  odf: boolean;
}

export function readTexts(source: string): PartTexts {
  const reader = new PartTextReader(source);
  scanXml(source, reader);
  return reader.found;
}

class PartTextReader {
  readonly found: PartTexts = { texts: [], rows: [] };
  readonly #source: string;
  readonly #open: (OpenText | 'apart')[] = [];
  readonly #rows: { span: Span; from: number }[] = [];
  /** The open text element and the characters read from it so far. */
  #element: { name: string; rawName: string; tag: Span; text: string; preserved: boolean } | undefined;
  #run: RunSource | undefined;
  #runProperties: number | undefined;
  /** The open tab or line break element. */
  #fixed: { name: string; start: number; text: string } | undefined;
  #copies = 0;
  /**
   * For each open cell of an ODF table, whether its text displays a stored value. Such text is not edited, since it
   * would contradict the value.
   */
  readonly #valueCells: boolean[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  open(name: string, span: Span, { attributes, selfClosing, rawName }: OpenElement): void {
    if (name === 'mc:Fallback') this.#copies += 1;
    if (VALUE_CELLS.has(name)) this.#valueCells.push((attributes['office:value-type'] ?? 'string') !== 'string');
    if (this.#valueCells.at(-1) === true) return;
    if (ROWS.has(name)) this.#rows.push({ span, from: this.found.texts.length });
    if (SEPARATE_ELEMENTS.has(name)) this.#open.push('apart');
    const splitText = this.#open.at(-1);
    if (CONTAINERS.has(name) && (name !== 'text' || splitText === undefined)) return this.#begin(name);
    if (splitText === undefined || splitText === 'apart') return;
    if (name === 'w:r' || name === 'a:r') this.#run = { rawName, properties: '' };
    if (name === 'w:rPr' || name === 'a:rPr') this.#runProperties = span.start;
    if (TEXT_ELEMENTS.has(name) && !splitText.odf) {
      const preserved = attributes['xml:space'] === 'preserve' || name === 'a:t' || name === 'm:t';
      if (!selfClosing) this.#element = { name, rawName, tag: span, text: '', preserved };
      return;
    }
    const fixed = name === 'text:s' ? ' '.repeat(spaceCount(attributes['text:c'])) : FIXED[name];
    if (fixed !== undefined) this.#fixed = { name, start: span.start, text: fixed };
  }

  text(text: string, span: Span): void {
    const splitText = this.#open.at(-1);
    if (splitText === undefined || splitText === 'apart') return;
    if (this.#element) this.#element.text += text;
    else if (splitText.odf) this.#spaced(splitText.splitText, text, span);
  }

  close(name: string, span: Span): void {
    if (name === 'mc:Fallback') this.#copies -= 1;
    if (this.#element?.name === name) this.#endText(span);
    if (this.#fixed?.name === name) this.#endFixed(span.end);
    if (VALUE_CELLS.has(name)) this.#valueCells.pop();
    if (name === 'w:rPr' || name === 'a:rPr') this.#endProperties(span);
    if (name === 'w:r' || name === 'a:r') this.#run = undefined;
    const row = ROWS.has(name) ? this.#rows.pop() : undefined;
    if (row) this.found.rows.push({ start: row.span.start, end: span.end, texts: this.found.texts.slice(row.from) });
    const splitText = this.#open.at(-1);
    if (splitText === 'apart') {
      if (SEPARATE_ELEMENTS.has(name)) this.#open.pop();
    } else if (splitText?.element === name) {
      this.#open.pop();
      for (const each of [splitText.splitText, splitText.deleted])
        if (each.pieces.length > 0) this.found.texts.push(each);
    }
  }

  #begin(element: string): void {
    const copy = this.#copies > 0 ? { copy: true } : {};
    this.#open.push({
      splitText: { pieces: [], ...copy },
      deleted: { pieces: [], ...copy },
      element,
      odf: ODF_CONTAINERS.has(element),
    });
  }

  #endFixed(end: number): void {
    const splitText = this.#open.at(-1);
    if (this.#fixed && splitText !== undefined && splitText !== 'apart')
      splitText.splitText.pieces.push({ start: this.#fixed.start, end, text: this.#fixed.text });
    this.#fixed = undefined;
  }

  #endProperties(span: Span): void {
    if (this.#run && this.#runProperties !== undefined)
      this.#run.properties = this.#source.slice(this.#runProperties, span.end);
    this.#runProperties = undefined;
  }

  #endText(close: Span): void {
    const element = this.#element;
    const splitText = this.#open.at(-1);
    this.#element = undefined;
    if (element === undefined || splitText === undefined || splitText === 'apart') return;
    const run = this.#run;
    const piece: Piece = {
      start: element.tag.end,
      end: close.start,
      text: element.text,
      encode: (text) => encodeRunText(text, element, run),
    };
    (element.name === 'w:delText' ? splitText.deleted : splitText.splitText).pieces.push(piece);
  }

  /** Adds ODF characters with white space collapsed, as office programs display them and as users match them. */
  #spaced(splitText: SplitText, text: string, span: Span): void {
    const shown = text.replace(/[ \t\r\n]+/g, ' ');
    if (shown !== '')
      splitText.pieces.push({ ...span, text: shown, encode: (written) => ({ source: encodeOdf(written) }) });
  }
}

interface RunSource {
  rawName: string;
  /** `<a:rPr…>…</a:rPr>` as written. */
  properties: string;
}

const spaceCount = (count: string | undefined): number => Math.min(1000, Math.max(1, Number(count ?? 1) || 1));

function encodeRunText(
  text: string,
  element: { name: string; rawName: string; tag: Span; preserved: boolean },
  run: RunSource | undefined,
): Encoded {
  const { name, rawName, tag } = element;
  const prefix = rawName.includes(':') ? rawName.slice(0, rawName.indexOf(':') + 1) : '';
  let source = escapeXml(text);
  if (name === 'w:t') {
    const preserve = ' xml:space="preserve"';
    const reopen = `<${rawName}${preserve}>`;
    source = source
      .replace(/\n/g, `</${rawName}><${prefix}br/>${reopen}`)
      .replace(/\t/g, `</${rawName}><${prefix}tab/>${reopen}`);
  } else if (name === 'a:t' && run !== undefined) {
    const { properties } = run;
    const again = `<${run.rawName}>${properties}<${rawName}>`;
    source = source.replace(/\n/g, `</${rawName}></${run.rawName}><${prefix}br>${properties}</${prefix}br>${again}`);
  }
  const needsSpace = !element.preserved && text !== text.trim();
  const at = tag.end - 1;
  return needsSpace ? { source, also: [{ start: at, end: at, source: ' xml:space="preserve"' }] } : { source };
}

function encodeOdf(text: string): string {
  return escapeXml(text)
    .replace(/ {2,}/g, (spaces) => ` <text:s text:c="${spaces.length - 1}"/>`)
    .replace(/^ (?=<text:s)/, ' ')
    .replace(/\t/g, '<text:tab/>')
    .replace(/\n/g, '<text:line-break/>');
}
