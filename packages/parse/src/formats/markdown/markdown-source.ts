/** What is done to Markdown source before it is parsed: front matter taken off, formulas fenced, long texts cut. */

export interface FrontMatter {
  /** YAML or TOML between the fences, without them; empty when there is none. */
  text: string;
  language: 'yaml' | 'toml';
  title: string | null;
  body: string;
}

export function takeFrontMatter(source: string): FrontMatter {
  const match = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)\n\1[ \t]*(?:\n|$)/.exec(source.slice(0, 64 * 1024));
  const text = match?.[2] ?? '';
  const language = match?.[1] === '+++' ? 'toml' : 'yaml';
  // Between two rules there may be any text: metadata begins with a key.
  const isMetadata = /^\s*(?:#[^\n]*\n\s*)*[\w"'-][\w .\-"']*[:=]/.test(text);
  if (match === null || !isMetadata) return { text: '', language: 'yaml', title: null, body: source };
  const title = /^title\s*[:=]\s*(.+?)\s*$/m.exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, '$2') ?? null;
  return { text, language, title, body: source.slice(match[0].length) };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * `$$` blocks become fenced code of the language `math`, as the parser knows no formulas and would read stars and
 * underscores in them. A block that is never closed stays text.
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

/** The line that closes the formula opened at `start`: no blank line and at most 200 lines between. */
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

/** More levels of quotes or lists in a line than anybody writes; the parser calls itself for each. */
const DEEP_NESTING = /^(?:[ \t]*>){100}|^[ \t]{400}/m;
/** Marks of emphasis in a row of lines: 20,000 take the parser 0.6 s. */
const MAX_EMPHASIS_MARKS = 20_000;
const MAX_BRACKETS = 20_000;
/** Lines that carry on a quote without its mark: 20,000 take 0.3 s. */
const MAX_LAZY_LINES = 20_000;

/** A blank line, or a line that begins a list item, a table row, a quote or a heading: emphasis ends before it. */
const PARAGRAPH_START = /\n[ \t]*(?:\n|(?=[|>#]|[-+*][ \t]|\d+[.)][ \t]))/;

/** Whether the text would keep the parser busy for many seconds: nothing that was written to be read does. */
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

/** Cuts before headings so that each part is at least `minLength` long; headings inside fences or comments don't count. */
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
