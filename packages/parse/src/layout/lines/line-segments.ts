/** Groups words into line segments, in drawing order. */
import { overlapY } from '../geometry.ts';
import { lineOf, type Line } from './line.ts';
import type { Word } from '../page/page-content.ts';
import { separatesHeadings } from '../headings/structure-tags.ts';

/** Gap, as a share of the font size, that starts a new segment: another column or cell. */
const MAX_GAP = 1.6;
const BASELINE_SHIFT = 0.35;

export function lineSegments(words: readonly Word[]): Line[] {
  const segments: Line[] = [];
  let current: Word[] = [];
  let start = 0;
  words.forEach((word, index) => {
    const last = current.at(-1);
    if (last !== undefined && !follows(last, word)) {
      segments.push(lineOf(current, start));
      current = [];
    }
    if (current.length === 0) start = index;
    current.push(word);
  });
  if (current.length > 0) segments.push(lineOf(current, start));
  return segments;
}

function follows(last: Word, word: Word): boolean {
  if (last.angle !== word.angle || separatesHeadings(last.tag, word.tag)) return false;
  if (word.sameLine === true) return true;
  if (last.angle !== 0) return word.glued || sideways(last, word);
  const size = Math.max(last.size, word.size);
  const level =
    Math.abs(last.baseline - word.baseline) <= BASELINE_SHIFT * size ||
    (word.glued && overlapY(last, word) > 0.3 * Math.min(last.size, word.size));
  if (!level) return false;
  const ahead = word.x0 - last.x1;
  const behind = last.x0 - word.x1;
  return ahead >= behind ? ahead <= MAX_GAP * size && ahead > -size : behind <= MAX_GAP * size;
}

/** Checks rotated text: the next word starts near the end of the last one along y. */
function sideways(last: Word, word: Word): boolean {
  const gap = Math.max(word.y0 - last.y1, last.y0 - word.y1);
  return Math.abs(last.baseline - word.baseline) <= BASELINE_SHIFT * last.size && gap <= MAX_GAP * last.size;
}
