/** Spans map a range of a chunk's text to its origin: a line on a page, or a part of a block without a position. */
import type { TextLine } from '@quire/blocks/block';
import { linesWithin } from '@quire/blocks/text-lines';

/** A part of a block without a position, as in HTML or Word files. */
export interface BlockPart {
  /** Range `[start, end)` of the chunk's text, in UTF-16 code units. */
  start: number;
  end: number;
  blockId: string;
  /** Offset of `start` in the block's text; null for tables, whose cells are joined in the chunk. */
  offset: number | null;
}

export type TextSpan = TextLine | BlockPart;

export const isBlockPart = (span: TextSpan): span is BlockPart => 'blockId' in span;

/** Returns the spans of `[start, end)` of a text, with offsets relative to `start`. */
export function sliceSpans(spans: readonly TextSpan[], start: number, end: number): TextSpan[] {
  const sliced: TextSpan[] = [];
  for (const span of linesWithin(spans, start, end)) {
    const [from, to] = [Math.max(span.start, start), Math.min(span.end, end)];
    if (from >= to) continue;
    const range = { start: from - start, end: to - start };
    if (!isBlockPart(span)) sliced.push({ ...span, ...range });
    else sliced.push({ ...span, ...range, offset: span.offset === null ? null : span.offset + from - span.start });
  }
  return sliced;
}
