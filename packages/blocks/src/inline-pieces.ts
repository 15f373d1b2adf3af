import type { MarkKind, TextLink, TextMark } from './block.ts';
import { safeHref } from './safe-href.ts';

/** A part `[start, end)` of a text with the same link and the same marks. */
export interface InlinePiece {
  start: number;
  end: number;
  link: TextLink | undefined;
  marks: readonly MarkKind[];
}

export interface InlineContent {
  text: string;
  links?: readonly TextLink[] | undefined;
  marks?: readonly TextMark[] | undefined;
}

/** Returns the links with a safe address, in order; of overlapping ones the first counts. */
export function usableLinks(text: string, links: readonly TextLink[]): TextLink[] {
  const usable: TextLink[] = [];
  for (const link of links.toSorted((a, b) => a.start - b.start)) {
    const href = safeHref(link.href);
    const overlaps = link.start < (usable.at(-1)?.end ?? 0) || link.end > text.length || link.end <= link.start;
    if (href !== null && !overlaps) usable.push({ ...link, href });
  }
  return usable;
}

/** Cuts a text at the edges of its links and marks, in one pass. An empty text has no pieces. */
export function inlinePieces({ text, links = [], marks = [] }: InlineContent): InlinePiece[] {
  const usable = usableLinks(text, links);
  const shown = marks.filter((mark) => mark.end <= text.length && mark.start < mark.end);
  const edges = [...usable, ...shown].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...edges, text.length])].toSorted((a, b) => a - b);
  const openings = shown.toSorted((a, b) => a.start - b.start);
  let [atLink, atMark] = [0, 0];
  let open: TextMark[] = [];
  const pieces: InlinePiece[] = [];
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    while ((usable[atLink]?.end ?? Infinity) <= start) atLink += 1;
    open = open.filter((mark) => mark.end > start);
    for (let next = openings[atMark]; next !== undefined && next.start <= start; next = openings[atMark]) {
      open.push(next);
      atMark += 1;
    }
    const link = usable[atLink];
    const kinds = [...new Set(open.map((mark) => mark.kind))];
    pieces.push({
      start,
      end: cuts[index + 1] ?? text.length,
      link: link !== undefined && link.start <= start ? link : undefined,
      marks: kinds,
    });
  }
  return pieces;
}
