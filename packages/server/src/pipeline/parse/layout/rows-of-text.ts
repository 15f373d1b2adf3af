/** Words that stand at the same height, whatever order they were drawn in: what tables are made of. */
import { copyBox, include, type Box } from './geometry.ts';
import type { Word } from './page-content.ts';
import { median } from './statistics.ts';

/** Neighbouring words of one row of text, with only a space between them. */
export interface Chunk extends Box {
  words: Word[];
}

export interface TextRow extends Box {
  baseline: number;
  size: number;
  chunks: Chunk[];
}

/** Words whose baselines differ by less than this share of their size stand on one line. */
const SAME_LINE = 0.4;

/** Groups words by baseline, top to bottom; `chunkGap` (a share of the font size) parts the chunks of a row. */
export function textRows(words: readonly Word[], chunkGap: number): TextRow[] {
  const sorted = words.filter((word) => word.angle === 0).toSorted((a, b) => a.baseline - b.baseline || a.x0 - b.x0);
  const groups: Word[][] = [];
  let anchor: Word | undefined;
  for (const word of sorted) {
    const group = groups.at(-1);
    if (anchor !== undefined && group !== undefined && sameLine(anchor, word)) {
      group.push(word);
      if (word.size > anchor.size) anchor = word;
    } else {
      groups.push([word]);
      anchor = word;
    }
  }
  return groups.map((group) => rowOf(group, chunkGap));
}

function sameLine(anchor: Word, word: Word): boolean {
  const shift = Math.abs(word.baseline - anchor.baseline);
  const smaller = Math.min(anchor.size, word.size);
  const raised = word.size < 0.85 * anchor.size || anchor.size < 0.85 * word.size;
  return shift <= SAME_LINE * smaller || (raised && shift <= 0.45 * Math.max(anchor.size, word.size));
}

function rowOf(words: Word[], chunkGap: number): TextRow {
  const byX = words.toSorted((a, b) => a.x0 - b.x0);
  const size = words.reduce((sum, word) => sum + word.size, 0) / words.length;
  const chunks: Chunk[] = [];
  for (const word of byX) {
    const last = chunks.at(-1);
    if (last !== undefined && word.x0 - last.x1 <= chunkGap * Math.max(size, 4)) {
      last.words.push(word);
      include(last, word);
    } else {
      chunks.push({ ...copyBox(word), words: [word] });
    }
  }
  const box = copyBox(byX[0] ?? { x0: 0, y0: 0, x1: 0, y1: 0 });
  for (const word of words) include(box, word);
  return { ...box, baseline: median(words.map((word) => word.baseline)), size, chunks };
}
