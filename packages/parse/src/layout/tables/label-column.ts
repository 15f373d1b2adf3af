/** Rules often stand over the columns of figures only: the labels of the rows are left of them. */
import { centreY, type Box } from '../geometry.ts';
import type { Word } from '../page-content.ts';
import { textRows, type TextRow } from '../rows-of-text.ts';
import { median } from '../statistics.ts';
import { looksNumeric } from './row-joining.ts';
import { CHUNK_GAP, wordsInside } from './text-grid.ts';

/** Share of the rows of figures that have a label. */
const LABELLED = 0.7;
/** Labels without figures beside them, for each row of figures. */
const LONE_LABELS = 1.5;
/** Words that make a label a line of running text, and the share of those that there may be. */
const PROSE_WORDS = 14;
const PROSE_LABELS = 0.2;
/** Words of a typical line: labels are shorter, and the lines of the next column of the page are not. */
const TYPICAL_PROSE = 6;
const MIN_ROWS = 3;
/** Points by which the baselines of a label and its figures may differ. */
const SAME_LINE = 2;

/** `region` with the labels on its left, when its rows have some; `words` are all that may belong to it. */
export function withLabels(region: Box, words: readonly Word[]): Box {
  const outside = words.filter(
    (word) => word.x1 <= region.x0 + 2 && centreY(word) >= region.y0 && centreY(word) <= region.y1,
  );
  if (outside.length < MIN_ROWS) return region;
  const figures = textRows(wordsInside(words, region), CHUNK_GAP).filter(isFigures);
  if (figures.length < MIN_ROWS) return region;
  const labels = textRows(outside, CHUNK_GAP);
  const besideFigures = labels.filter((label) => figures.some((row) => isLevel(row, label)));
  if (besideFigures.length < LABELLED * figures.length) return region;
  if (labels.length - besideFigures.length > LONE_LABELS * figures.length) return region;
  const prose = labels.filter((label) => (label.chunks.at(-1)?.words.length ?? 0) >= PROSE_WORDS).length;
  if (prose > PROSE_LABELS * labels.length) return region;
  if (median(labels.map((label) => label.chunks.at(-1)?.words.length ?? 0)) >= TYPICAL_PROSE) return region;
  // The nearest piece of text is the label; what stands left of it is another column of the page.
  const starts = besideFigures.flatMap(
    (label) => label.chunks.findLast((chunk) => !looksNumeric(chunk.words))?.x0 ?? [],
  );
  return starts.length < LABELLED * figures.length ? region : { ...region, x0: Math.min(...starts) - 4 };
}

/** A single column of figures may be one of a table that has no rules. */
export const isFigures = (row: TextRow): boolean => row.chunks.filter((chunk) => looksNumeric(chunk.words)).length >= 2;

const isLevel = (a: TextRow, b: TextRow): boolean => Math.abs(a.baseline - b.baseline) <= SAME_LINE;
