import type { TextLink } from './block.ts';
import { inlineFormulaEnd, isWithinFormula } from './inline-formula.ts';
import { safeHref } from './safe-href.ts';

/** What means something anywhere in a line. Stars between spaces and underscores inside words do not. */
const INLINE = /[`[~]|\\(?=[!-/:-@[-`{-~\n]|$)|\*(?!\s)|(?<!\s)\*|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** What begins a tag, comment or address, even for those who cut out tags before they look for backslashes. */
const TAG_START = /<(?=[a-z/!?]|[\w.!#$%&'*+/=?^`{|}~-]{1,200}@)/gi;
/** The beginning of a bare address, of which GFM makes a link. */
const ADDRESS_START = /(https?)(:\/\/)|(www)(\.)/gi;
const MARKDOWN_CHARACTER = /[\\`*[\]~<&_|]/g;
const WHITE_SPACE = /\s/g;
/** Maximum length of a bare address that is searched for characters of Markdown. */
const MAX_ADDRESS_LENGTH = 2000;
/**
 * Headings, quotes, list items, formulas, lines that would be a rule, an underline or a table's second row, and what
 * opens a definition, a box or a drawn table for many readers, ours too.
 */
const LINE_START =
  /^(?:(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-=|:](?=[-=|:*_\s]*$)|\$\$|:(?=\s|::)|(?:!!!|\?{3}\+?|===)(?=\s)|\+(?=[-=:]+\+)|\{(?=%))|(\d{1,9})([.)](?=\s|$)))/;

interface InlineOptions {
  /** Inside brackets: closing ones are escaped. */
  label?: boolean;
  /** Inside a pipe table: bars are escaped. */
  cell?: boolean;
  /** Behind the marks of a heading: nothing begins a line. */
  heading?: boolean;
  /** What a line break becomes. */
  lineBreak: string;
}

/** Plain text with links as one Markdown inline: every character that would mean something is escaped, no others. */
export function inlineMarkdown(text: string, links: readonly TextLink[] | undefined, options: InlineOptions): string {
  const inline = new InlineWriter(text, usableLinks(text, links ?? []), options);
  let markdown = '';
  let from = 0;
  for (const { start, end, href } of inline.links) {
    // Before a bracket it would make a picture of the link.
    markdown += `${inline.escaped(from, start).replace(/!$/, '\\!')}[${inline.label(start, end)}](${destination(href)})`;
    from = end;
  }
  markdown += options.label === true ? inline.label(from, text.length) : inline.escaped(from, text.length);
  if (options.cell === true) markdown = markdown.replaceAll('|', '\\|');
  const lines = markdown.split('\n');
  return (inline.startsLines ? lines.map(escapeLineStart) : lines).join(options.lineBreak);
}

function usableLinks(text: string, links: readonly TextLink[]): TextLink[] {
  const usable: TextLink[] = [];
  for (const link of links.toSorted((a, b) => a.start - b.start)) {
    const href = safeHref(link.href);
    const overlaps = link.start < (usable.at(-1)?.end ?? 0) || link.end > text.length || link.end <= link.start;
    if (href !== null && !overlaps) usable.push({ ...link, href });
  }
  return usable;
}

class InlineWriter {
  readonly links: readonly TextLink[];
  readonly #text: string;
  /** Neither a cell nor a label nor a heading: its lines may be read as headings, lists, formulas. */
  readonly startsLines: boolean;
  /** A link begins or ends within what could be read as a formula: then no dollar may mean anything. */
  readonly #escapesDollars: boolean;
  readonly #hidesBrackets: boolean;

  constructor(text: string, links: readonly TextLink[], options: InlineOptions) {
    this.#text = text;
    this.links = links;
    this.startsLines = options.cell !== true && options.label !== true && options.heading !== true;
    const edges = text.includes('$') ? links.flatMap((link) => [link.start, link.end]) : [];
    this.#hidesBrackets = wouldBeFormula(text);
    this.#escapesDollars = edges.some((edge) => isWithinFormula(text, edge));
  }

  /** Formulas are written as they stand: a backslash means something else in them. */
  escaped(start: number, end: number): string {
    return this.#escaped(this.#text.slice(start, end), start === 0 && this.startsLines);
  }

  /** What stands in brackets: those that close are escaped too. */
  label(start: number, end: number): string {
    return this.#escaped(this.#text.slice(start, end), false, /\]/g);
  }

  #escaped(text: string, startsLine: boolean, extra?: RegExp): string {
    let markdown = '';
    let from = 0;
    for (let dollar = this.#dollar(text, 0); dollar >= 0; dollar = this.#dollar(text, dollar + 1)) {
      // Two dollars that begin a line are escaped: they would be a block of their own.
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

/** Returns a search for the next match at or after an offset; offsets must not decrease, so all searches read the text once. */
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

/** Whether brackets that are escaped could be read as a formula's: `\\[\\alpha\\]`, `\\[ a^b \\]`. */
function wouldBeFormula(text: string): boolean {
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
