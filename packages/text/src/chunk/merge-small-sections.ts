import { shiftLines } from '@quire/blocks/text-lines';
import type { TokenCounter } from './token-counter.ts';
import type { SectionChunk } from './packer.ts';

/** A section of at most this share of a chunk is too short to be found or understood by itself. */
const SMALL_SHARE = 0.2;
/** Maximum share of a chunk that joined sections may fill. */
const MAX_JOINED_SHARE = 0.6;

/**
 * Joins neighbouring chunks that each contain a whole small section under the same heading; the sections' own headings
 * become lines of the text. Top-level sections are not joined unless they are headings without text.
 */
export function mergeSmallSections(
  chunks: readonly SectionChunk[],
  maxTokens: number,
  counter: TokenCounter,
): SectionChunk[] {
  const merged: SectionChunk[] = [];
  let group: SectionChunk | undefined;
  for (const chunk of chunks) {
    const candidate = withHeadingLine(chunk, maxTokens * SMALL_SHARE, counter);
    if (candidate === undefined) {
      group = undefined;
      merged.push(chunk);
    } else if (
      group !== undefined &&
      mayJoin(group, candidate) &&
      group.tokens + candidate.tokens <= maxTokens * MAX_JOINED_SHARE
    ) {
      group = join(group, candidate);
      merged[merged.length - 1] = group;
    } else {
      // A single chunk keeps its heading in the path; only a join moves headings into the text.
      group = candidate;
      merged.push(chunk);
    }
  }
  return merged;
}

/** Returns the chunk as part of its parent, with its own heading as the first line; undefined if it is too long. */
function withHeadingLine(chunk: SectionChunk, maxTokens: number, counter: TokenCounter): SectionChunk | undefined {
  if (chunk.soleOf === undefined || chunk.tokens > maxTokens) return undefined;
  const { headingId, isHeadingOnly } = chunk.soleOf;
  if (isHeadingOnly) return chunk;
  const heading = chunk.headings.at(-1) ?? '';
  const tokens = chunk.tokens + counter.count(heading);
  if (tokens > maxTokens) return undefined;
  return {
    ...chunk,
    text: `${heading}\n${chunk.text}`,
    tokens,
    headings: chunk.headings.slice(0, -1),
    blockIds: [headingId, ...chunk.blockIds],
    lines: shiftLines(chunk.lines, heading.length + 1),
  };
}

function mayJoin(a: SectionChunk, b: SectionChunk): boolean {
  if (a.headings.length !== b.headings.length || a.headings.some((heading, level) => heading !== b.headings[level]))
    return false;
  const headingsOnly = a.soleOf?.isHeadingOnly === true && b.soleOf?.isHeadingOnly === true;
  return headingsOnly || a.headings.length > 0;
}

function join(a: SectionChunk, b: SectionChunk): SectionChunk {
  const headingsOnly = a.soleOf?.isHeadingOnly === true && b.soleOf?.isHeadingOnly === true;
  const separator = headingsOnly ? '\n' : '\n\n';
  return {
    ...a,
    text: `${a.text}${separator}${b.text}`,
    lines: [...a.lines, ...shiftLines(b.lines, a.text.length + separator.length)],
    tokens: a.tokens + b.tokens,
    blockIds: [...a.blockIds, ...b.blockIds],
    places: [...a.places, ...b.places],
    soleOf: { headingId: a.blockIds[0] ?? '', isHeadingOnly: headingsOnly },
  };
}
