/** Decides which line groups are headings, and their levels. */
import { width, type Box } from './geometry.ts';
import { characterCount, textOf, type Line } from './line.ts';
import type { Passage } from './passages.ts';
import { mostFrequent } from './statistics.ts';

/** Typographic style of the document's running text. */
export interface BodyStyle {
  size: number;
  /** Shares of bold and italic characters: in a bold document, bold does not mark headings. */
  boldShare: number;
  italicShare: number;
  /** Share of monospace characters. */
  monospaceShare: number;
}

const MAX_LENGTH = 160;
const MAX_LINES = 4;
const NUMBERED =
  /^(?:\d{1,2}(?:\.\d{1,3}){0,4}\.?|[A-Z]\.(?:\d+\.?)*|[IVX]{1,5}\.|§+\s*\d+\w*|(?:chapter|section|appendix|annex|article|part|kapitel|abschnitt|anhang|artikel|chapitre|capítulo|第)\b.{0,6}?[\dIVXA-Z]+)[\s:.–—-]+\S/iu;
/** Heading sizes relative to the body size. */
export const LARGE = 1.2;
const LARGER = 1.06;

export function bodyStyleOf(lines: Iterable<Line>): BodyStyle {
  const sizes = new Map<number, number>();
  let [total, bold, italic, monospace] = [0, 0, 0, 0];
  for (const line of lines) {
    const count = characterCount(line.words);
    const size = Math.round(line.size * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + count);
    total += count;
    if (line.bold) bold += count;
    if (line.italic) italic += count;
    if (line.monospace) monospace += count;
  }
  return {
    size: mostFrequent(sizes) ?? 10,
    boldShare: total ? bold / total : 0,
    italicShare: total ? italic / total : 0,
    monospaceShare: total ? monospace / total : 0,
  };
}

/** Surroundings of a line group, which the heading decision needs besides its style. */
export interface Surroundings {
  /** Width of the column or page that contains the group. */
  columnWidth: () => number;
  /** The following line group. */
  next: (Box & { size: number; bold: boolean; italic: boolean }) | undefined;
}

export function isHeading(passage: Passage, body: BodyStyle, around: Surroundings): boolean {
  if (passage.lines.length > MAX_LINES) return false;
  const text = passage.lines.map((line) => textOf(line.words)).join(' ');
  if (text.length > MAX_LENGTH || !/\p{L}{2}|\p{Script=Han}/u.test(text)) return false;
  if (/[,;]$/.test(text) || /\.{4}|(\. ){4}|_{4}/.test(text) || /^[a-z•]/.test(text) || /@|https?:/.test(text))
    return false;
  if (/^(?:source|note|quelle|fuente)s?\b\s*:/i.test(text)) return false;
  const ratio = passage.size / body.size;
  const numbered = NUMBERED.test(text);
  const sentence = /[.:!?]["'”’)\]]*$/u.test(text) && !(numbered && text.length < 80);
  if (ratio >= LARGE) return (text.length <= 120 || passage.bold) && !(sentence && text.length > 60);
  if (ratio >= LARGER && (passage.bold || numbered) && !sentence) return true;
  if (ratio < 0.93 || sentence || passage.lines.length > 2) return false;
  const short =
    text.length <= 90 && (passage.lines.length > 1 || width(passage) < 0.9 * around.columnWidth() || passage.bold);
  const { next } = around;
  const leads = next !== undefined && next.size <= passage.size + 0.5;
  if (passage.bold && body.boldShare < 0.3) return short && leads;
  if (isCapitals(text)) return short && text.length >= 4 && text.length <= 60 && leads && !next.bold;
  const set = passage.italic && body.italicShare < 0.25 && next !== undefined && !next.italic;
  return (
    set &&
    short &&
    leads &&
    text.length <= 60 &&
    passage.lines.length === 1 &&
    /^\p{Lu}/u.test(text) &&
    next !== undefined &&
    next.y0 - passage.y1 < passage.size
  );
}

const isCapitals = (text: string): boolean => /\p{Lu}{3}/u.test(text) && text === text.toUpperCase();

/** Style of a heading; headings of one style have one level. */
export interface HeadingLook {
  size: number;
  bold: boolean;
  italic: boolean;
  text: string;
}

/** Returns the depth of a section number, such as 2 for `3.1`; 0 without a number. */
function numberDepth(text: string): number {
  const number = /^(\d{1,2}(?:\.\d{1,3}){0,5})\.?\s/.exec(text)?.[1];
  return number === undefined ? 0 : number.split('.').length;
}

/** Returns levels 1..6, ordered by size and weight; section numbers take precedence over style. */
export function headingLevels(headings: readonly HeadingLook[]): number[] {
  const keyOf = (look: HeadingLook): number => Math.round(look.size) * 4 + (look.bold ? 2 : 0) + (look.italic ? 0 : 1);
  const keys = [...new Set(headings.map(keyOf))].toSorted((a, b) => b - a);
  const byLook = headings.map((look) => Math.min(6, keys.indexOf(keyOf(look)) + 1));
  const depths = headings.map((look) => numberDepth(look.text));
  const tops = byLook.filter((_, index) => depths[index] === 1);
  const base = tops.length > 0 ? Math.min(...tops) : undefined;
  return byLook.map((level, index) => {
    const depth = depths[index] ?? 0;
    return depth === 0 || base === undefined ? level : Math.min(6, base + depth - 1);
  });
}
