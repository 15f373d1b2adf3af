import type { TextLink } from './block.ts';

export interface LinkedText {
  text: string;
  links: TextLink[];
}

/** Characters removed from texts: PostgreSQL refuses NUL, and terminals and browsers act on other controls. */
// oxlint-disable-next-line no-control-regex
const UNWANTED = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufff9-\ufffb]/g;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
const LONE_SURROGATES = /\p{Surrogate}/gu;
/**
 * Normalises code and formulas: unifies line breaks, removes lone surrogates and control characters, keeps the layout.
 */
export function normaliseVerbatim(text: string): string {
  const clean = text.replace(LINE_BREAKS, '\n').replace(LONE_SURROGATES, '\ufffd').replace(UNWANTED, '');
  return clean.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/**
 * Normalises all other text: collapses white space to single spaces, keeps single line breaks, trims the ends. Links
 * keep covering the same words; links that cover nothing are dropped.
 */
export function normaliseText(text: string, links: readonly TextLink[] = []): LinkedText {
  if (links.length === 0) return { text: collapse(text), links: [] };
  const marks = [...new Set(links.flatMap((link) => [link.start, link.end]))].toSorted((a, b) => a - b);
  const moved = movedOffsets(text, marks);
  const collapsed = collapse(text);
  const kept = links
    .map((link) => trimLink(collapsed, moved.get(link.start) ?? 0, moved.get(link.end) ?? 0, link.href))
    .filter((link) => link.end > link.start);
  return { text: collapsed, links: joined(kept) };
}

/**
 * Moves ranges of `text` to the same words of `clean`, its normalised form; drops ranges that cover nothing. Ranges are
 * ordered and do not overlap.
 */
export function moveRanges<Range extends { start: number; end: number }>(
  text: string,
  clean: string,
  ranges: readonly Range[],
): Range[] {
  if (text === clean) return [...ranges];
  const positions = visiblePositions(clean);
  let [visible, from] = [0, 0];
  const move = (offset: number): number => {
    visible += countVisible(text.slice(from, offset));
    from = offset;
    return positions(visible);
  };
  const moved: Range[] = [];
  for (const range of ranges) {
    const [start, end] = [skipSpace(clean, move(range.start)), move(range.end)];
    if (end > start) moved.push({ ...range, start, end });
  }
  return moved;
}

function skipSpace(text: string, offset: number): number {
  let first = offset;
  while (first < text.length && /\s/.test(text.charAt(first))) first += 1;
  return first;
}

/** Joins adjacent links to the same address: some formats split a link where its style changes. */
function joined(links: readonly TextLink[]): TextLink[] {
  const whole: TextLink[] = [];
  for (const link of links) {
    const last = whole.at(-1);
    if (last?.end === link.start && last.href === link.href) whole[whole.length - 1] = { ...last, end: link.end };
    else whole.push(link);
  }
  return whole;
}

function collapse(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(UNWANTED, '')
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/**
 * Returns the position of each offset after collapsing. Only white space changes lengths, so visible units are counted.
 */
function movedOffsets(text: string, offsets: readonly number[]): Map<number, number> {
  const moved = new Map<number, number>();
  let visible = 0;
  let from = 0;
  const collapsed = collapse(text);
  const positions = visiblePositions(collapsed);
  for (const offset of offsets) {
    visible += countVisible(text.slice(from, offset));
    from = offset;
    moved.set(offset, positions(visible));
  }
  return moved;
}

/** Returns the number of UTF-16 units that collapsing keeps. */
function countVisible(text: string): number {
  return text.replace(UNWANTED, '').replace(/[\s\u0085]+/g, '').length;
}

/** Returns a function that finds the offset after the n-th visible unit. Calls with increasing n read the text once. */
function visiblePositions(text: string): (visible: number) => number {
  let offset = 0;
  let seen = 0;
  return (visible) => {
    while (seen < visible && offset < text.length) {
      if (!/\s/.test(text.charAt(offset))) seen += 1;
      offset += 1;
    }
    return offset;
  };
}

function trimLink(text: string, start: number, end: number, href: string): TextLink {
  let first = start;
  while (first < end && /\s/.test(text.charAt(first))) first += 1;
  return { start: first, end, href };
}
