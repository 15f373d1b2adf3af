/** Prepares Markdown source for parsing: removes front matter, fences formulas, splits long texts. */

export interface FrontMatter {
  /** YAML or TOML between the fences; empty if there is none. */
  text: string;
  language: 'yaml' | 'toml';
  title: string | null;
  body: string;
}

export function takeFrontMatter(source: string): FrontMatter {
  const match = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)\n\1[ \t]*(?:\n|$)/.exec(source.slice(0, 64 * 1024));
  const text = match?.[2] ?? '';
  const language = match?.[1] === '+++' ? 'toml' : 'yaml';
  // Text between two rules is front matter only if it begins with a key.
  const isMetadata = /^\s*(?:#[^\n]*\n\s*)*[\w"'-][\w .\-"']*[:=]/.test(text);
  if (match === null || !isMetadata) return { text: '', language: 'yaml', title: null, body: source };
  const title = /^title\s*[:=]\s*(.+?)\s*$/m.exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, '$2') ?? null;
  return { text, language, title, body: source.slice(match[0].length) };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Turns `$$` blocks into fenced code with the language `math`, because the parser would read stars and underscores in
 * them. A block without an end remains text.
 */
export function fenceFormulas(source: string): string {
  if (!source.includes('$$')) return source;
  const lines = source.split('\n');
  const result: string[] = [];
  let fence: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (/^ {0,3}\$\$/.test(line)) {
      const end = formulaEnd(lines, index);
      if (end !== undefined) {
        result.push('', '````math', formulaBody(lines.slice(index, end + 1)), '````', '');
        index = end;
        continue;
      }
    }
    result.push(line);
  }
  return result.join('\n');
}

/**
 * Returns the line that closes the formula opened at `start`, at most 200 lines below and without a blank line between.
 */
function formulaEnd(lines: readonly string[], start: number): number | undefined {
  const first = (lines[start] ?? '').trim();
  if (first.length > 4 && first.endsWith('$$')) return first.indexOf('$$', 2) === first.length - 2 ? start : undefined;
  if (first.indexOf('$$', 2) >= 0) return undefined;
  for (let index = start + 1; index < Math.min(lines.length, start + 200); index += 1) {
    const line = (lines[index] ?? '').trim();
    if (line === '' || line.startsWith('```')) return undefined;
    if (line.endsWith('$$')) return line.indexOf('$$') === line.length - 2 ? index : undefined;
  }
  return undefined;
}

function formulaBody(lines: readonly string[]): string {
  return lines.join('\n').trim().slice(2, -2).trim();
}

/** Nesting of quotes or lists in a line beyond that of real documents; the parser is recursive. */
const DEEP_NESTING = /^(?:[ \t]*>){100}|^[ \t]{400}/m;
/** Maximum number of emphasis marks in consecutive lines; 20,000 take the parser 0.6 s. */
const MAX_EMPHASIS_MARKS = 20_000;
const MAX_BRACKETS = 20_000;
/** Maximum number of lines that continue a quote without its mark; 20,000 take 0.3 s. */
const MAX_LAZY_LINES = 20_000;

/** A blank line, or the start of a list item, table row, quote or heading. Emphasis ends before it. */
const PARAGRAPH_START = /\n[ \t]*(?:\n|(?=[|>#]|[-+*][ \t]|\d+[.)][ \t]))/;

/** Returns whether the text would take the parser many seconds, which no real document does. */
export function isHostile(source: string): boolean {
  if (DEEP_NESTING.test(source)) return true;
  return source.split(PARAGRAPH_START).some((lines) => {
    if (lines.length <= MAX_EMPHASIS_MARKS) return false;
    if (occurrences(lines, /[*_~]+/g) > MAX_EMPHASIS_MARKS || occurrences(lines, /\[/g) > MAX_BRACKETS) return true;
    return /^ {0,3}>/m.test(lines) && occurrences(lines, /^(?! {0,3}>)/gm) > MAX_LAZY_LINES;
  });
}

function occurrences(text: string, pattern: RegExp): number {
  return (text.match(pattern) ?? []).length;
}

/**
 * Splits the source before headings into parts of at least `minLength`. Headings inside fences or comments are ignored.
 */
export function splitAtHeadings(source: string, minLength: number): string[] {
  const parts: string[] = [];
  let start = 0;
  let fence: string | undefined;
  let comment = false;
  for (let offset = 0; offset < source.length;) {
    const newline = source.indexOf('\n', offset);
    const next = newline < 0 ? source.length : newline + 1;
    const line = source.slice(offset, Math.min(next, offset + 1000)).trimEnd();
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else {
      const heading = !comment && /^#{1,6}\s/.test(line);
      if (heading && offset - start >= minLength) {
        parts.push(source.slice(start, offset));
        start = offset;
      }
      comment = opensComment(line, comment);
    }
    offset = next;
  }
  parts.push(source.slice(start));
  return parts;
}

function opensComment(line: string, open: boolean): boolean {
  return line.lastIndexOf('<!--') > line.lastIndexOf('-->') || (open && !line.includes('-->'));
}
