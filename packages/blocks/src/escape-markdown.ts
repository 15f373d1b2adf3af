import type { MarkKind, TextLink } from './block.ts';
import { inlineFormulaEnd, isWithinFormula } from './inline-formula.ts';
import { inlinePieces, type InlineContent, type InlinePiece } from './inline-pieces.ts';
import { isScript } from './script-characters.ts';

/** Characters with a meaning anywhere in a line. Stars between spaces and underscores inside words have none. */
const INLINE = /[`[~]|\\(?=[!-/:-@[-`{-~\n]|$)|\*(?!\s)|(?<!\s)\*|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/**
 * The start of a tag, comment or address. It is replaced by an entity, which is safe also in renderers that strip tags
 * before they process backslashes.
 */
const TAG_START = /<(?=[a-z/!?]|[\w.!#$%&'*+/=?^`{|}~-]{1,200}@)/gi;
/** The beginning of a bare address, of which GFM makes a link. */
const ADDRESS_START = /(https?)(:\/\/)|(www)(\.)/gi;
const MARKDOWN_CHARACTER = /[\\`*[\]~<&_|]/g;
const WHITE_SPACE = /\s/g;
/** Maximum length of a bare address that is searched for characters of Markdown. */
const MAX_ADDRESS_LENGTH = 2000;
/**
 * Matches the start of a line that Markdown would read as a heading, quote, list item, formula, rule, underline or
 * table separator, or that an extended dialect would read as a definition, an admonition or a grid table.
 */
const LINE_START =
  /^(?:(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-=|:](?=[-=|:*_\s]*$)|\$\$|:(?=\s|::)|(?:!!!|\?{3}\+?|===)(?=\s)|\+(?=[-=:]+\+)|\{(?=%))|(\d{1,9})([.)](?=\s|$)))/;

interface InlineOptions {
  /** Inside brackets: closing brackets are escaped. */
  label?: boolean;
  /** Inside a pipe table: bars are escaped. */
  cell?: boolean;
  /** After the marks of a heading: starts of lines need no escapes. */
  heading?: boolean;
  /** Replacement of line breaks. */
  lineBreak: string;
}

/**
 * Returns plain text with links and marks as inline Markdown, escaping exactly the characters that would have a
 * meaning. Marks inside a label are left out.
 */
export function inlineMarkdown(content: InlineContent, options: InlineOptions): string {
  const { text } = content;
  const pieces = inlinePieces(options.label === true ? { text } : content);
  const inline = new InlineWriter(text, pieces, options);
  let markdown = '';
  let open: TextLink | undefined;
  for (const { start, end, link, marks } of pieces) {
    if (link !== open && open !== undefined) markdown += `](${destination(open.href)})`;
    // An exclamation mark before the bracket would turn the link into an image.
    if (link !== open && link !== undefined) markdown = `${markdown.replace(/!$/, '\\!')}[`;
    open = link;
    const bracketed = link !== undefined || options.label === true;
    const own = bracketed ? inline.label(start, end) : inline.escaped(start, end);
    markdown += marked(own, marks, { text, start, end });
  }
  if (open !== undefined) markdown += `](${destination(open.href)})`;
  if (options.cell === true) markdown = markdown.replaceAll('|', '\\|');
  const lines = markdown.split('\n');
  return (inline.startsLines ? lines.map(escapeLineStart) : lines).join(options.lineBreak);
}

const TAGS: Readonly<Partial<Record<MarkKind, string>>> = { raised: 'sup', lowered: 'sub' };
const WORD = /[\p{L}\p{N}]/u;

/** Superscript and subscript characters need no tag, and insertions are plain text. */
function marked(
  markdown: string,
  marks: readonly MarkKind[],
  piece: { text: string; start: number; end: number },
): string {
  if (marks.length === 0 || markdown === '') return markdown;
  const { text, start, end } = piece;
  const tag = marks.map((kind) => TAGS[kind]).find((it) => it !== undefined);
  const tagged = tag === undefined || isScript(text.slice(start, end)) ? markdown : `<${tag}>${markdown}</${tag}>`;
  if (!marks.includes('struck')) return tagged;
  // Tildes do not open or close between a word and punctuation (GFM's rule of flanking runs).
  const opens = WORD.test(text.charAt(start)) || !WORD.test(text.charAt(start - 1));
  const closes = WORD.test(text.charAt(end - 1)) || !WORD.test(text.charAt(end));
  const isTight = !/^\s|\s$/.test(text.slice(start, end));
  return opens && closes && isTight && tagged === markdown ? `~~${tagged}~~` : `<del>${tagged}</del>`;
}

class InlineWriter {
  readonly #text: string;
  /** True unless in a cell, label or heading: lines may be read as headings, lists or formulas. */
  readonly startsLines: boolean;
  /** True if a link or mark begins or ends within a possible formula: then all dollars are escaped. */
  readonly #escapesDollars: boolean;
  readonly #hidesBrackets: boolean;

  constructor(text: string, pieces: readonly InlinePiece[], options: InlineOptions) {
    this.#text = text;
    this.startsLines = options.cell !== true && options.label !== true && options.heading !== true;
    const edges = text.includes('$') ? pieces.slice(1).map((piece) => piece.start) : [];
    this.#hidesBrackets = looksLikeFormula(text);
    this.#escapesDollars = edges.some((edge) => isWithinFormula(text, edge));
  }

  /** Escapes prose but not formulas, in which a backslash has another meaning. */
  escaped(start: number, end: number): string {
    return this.#escaped(this.#text.slice(start, end), start === 0 && this.startsLines);
  }

  /** Escapes text in brackets, including closing brackets. */
  label(start: number, end: number): string {
    return this.#escaped(this.#text.slice(start, end), false, /\]/g);
  }

  #escaped(text: string, startsLine: boolean, extra?: RegExp): string {
    let markdown = '';
    let from = 0;
    for (let dollar = this.#dollar(text, 0); dollar >= 0; dollar = this.#dollar(text, dollar + 1)) {
      // Two dollars at the start of a line are escaped, because they would open a formula block.
      const begins = (dollar === 0 && startsLine) || (this.startsLines && text.charAt(dollar - 1) === '\n');
      const end = begins && text.startsWith('$$', dollar) ? undefined : inlineFormulaEnd(text, dollar);
      if (end === undefined) continue;
      markdown += this.#prose(text.slice(from, dollar), extra) + text.slice(dollar, end);
      from = end;
      dollar = end - 1;
    }
    return markdown + this.#prose(text.slice(from), extra);
  }

  #dollar(text: string, from: number): number {
    return this.#escapesDollars ? -1 : text.indexOf('$', from);
  }

  #prose(text: string, extra: RegExp | undefined): string {
    const escaped = escapeProse(text);
    const closed = extra === undefined ? escaped : escaped.replace(extra, '\\$&');
    const bracketed = this.#hidesBrackets ? closed.replaceAll('\\[', '&#91;') : closed;
    return this.#escapesDollars ? bracketed.replaceAll('$', '\\$') : bracketed;
  }
}

function escapeProse(text: string): string {
  return breakBareAddresses(text.replace(INLINE, '\\$&').replace(TAG_START, '&lt;'));
}

/** Stops GFM from making a link of an address that holds characters of Markdown, whose backslashes it would keep. */
function breakBareAddresses(text: string): string {
  const nextCharacter = forwardSearch(text, MARKDOWN_CHARACTER);
  const nextSpace = forwardSearch(text, WHITE_SPACE);
  return text.replace(
    ADDRESS_START,
    (start: string, scheme: string | undefined, slashes: string, www: string, _dot: string, at: number) => {
      const from = at + start.length;
      const found = nextCharacter(from);
      if (found >= nextSpace(from) || found - from > MAX_ADDRESS_LENGTH) return start;
      return scheme === undefined ? `${www}\\.` : `${scheme}\\${slashes}`;
    },
  );
}

/**
 * Returns a search for the next match at or after an offset; offsets must not decrease, so all searches read the text
 * once.
 */
function forwardSearch(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      pattern.lastIndex = from;
      found = pattern.exec(text)?.index ?? text.length;
    }
    return found;
  };
}

/** Returns whether escaped brackets could be read as a formula: `\\[\\alpha\\]`, `\\[ a^b \\]`. */
function looksLikeFormula(text: string): boolean {
  const bracket = text.indexOf('[');
  if (bracket < 0) return false;
  const spaced = text.search(/\[\s/);
  return (spaced >= 0 && text.includes('^', spaced)) || /\\[a-z]{2}/i.test(text.slice(bracket));
}

function escapeLineStart(line: string): string {
  return line.replace(LINE_START, (_all, mark?: string, digits?: string, end?: string) =>
    mark === undefined ? `${digits ?? ''}\\${end ?? ''}` : `\\${mark}`,
  );
}

function destination(href: string): string {
  return /^[^\s<>()\\|]+$/.test(href) ? href : `<${href.replace(/[<>\\|\s]/g, (c) => encodeURIComponent(c))}>`;
}
