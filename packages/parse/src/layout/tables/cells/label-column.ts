/** Extends a ruled region to the row labels on its left; rules often cover the numeric columns only. */
import { cellRows } from '../unruled/divide-figures.ts';
import { centreY, type Box } from '../../geometry.ts';
import type { Word } from '../../page/page-content.ts';
import { textRows, type TextRow } from '../../lines/text-rows.ts';
import { median } from '../../statistics.ts';
import { looksNumeric } from '../unruled/wrapped-rows.ts';
import { SEGMENT_GAP, wordsInside } from '../unruled/text-grid.ts';

/** Minimum share of numeric rows with a label. */
const MIN_LABELLED_SHARE = 0.7;
/** Maximum number of labels without numbers, per numeric row. */
const MAX_LONE_LABELS = 1.5;
/** Minimum number of words of a label that counts as running text. */
const PROSE_WORDS = 14;
/** Maximum share of labels that are running text. */
const PROSE_LABELS = 0.2;
/** Median words per line from which the lines belong to the next column of the page. */
const TYPICAL_PROSE = 6;
const MIN_ROWS = 3;
/** Maximum baseline difference, in points, between a label and its numbers. */
const SAME_LINE = 2;

/** Returns `region` extended by its row labels, if there are any; `words` are all candidates. */
export function withLabels(region: Box, words: readonly Word[]): Box {
  const outside = words.filter(
    (word) => word.x1 <= region.x0 + 2 && centreY(word) >= region.y0 && centreY(word) <= region.y1,
  );
  if (outside.length < MIN_ROWS) return region;
  const figures = cellRows(wordsInside(words, region), SEGMENT_GAP).filter(isFigures);
  if (figures.length < MIN_ROWS) return region;
  const labels = textRows(outside, SEGMENT_GAP);
  const besideFigures = labels.filter((label) => figures.some((row) => isLevel(row, label)));
  if (besideFigures.length < MIN_LABELLED_SHARE * figures.length) return region;
  if (labels.length - besideFigures.length > MAX_LONE_LABELS * figures.length) return region;
  const prose = labels.filter((label) => (label.segments.at(-1)?.words.length ?? 0) >= PROSE_WORDS).length;
  if (prose > PROSE_LABELS * labels.length) return region;
  if (median(labels.map((label) => label.segments.at(-1)?.words.length ?? 0)) >= TYPICAL_PROSE) return region;
  // The nearest text segment is the label; text further left is another column of the page.
  const starts = besideFigures.flatMap(
    (label) => label.segments.findLast((segment) => !looksNumeric(segment.words))?.x0 ?? [],
  );
  return starts.length < MIN_LABELLED_SHARE * figures.length ? region : { ...region, x0: Math.min(...starts) - 4 };
}

/** Checks for at least two numbers; a single numeric column may belong to a table without rules. */
export const isFigures = (row: TextRow): boolean =>
  row.segments.filter((segment) => looksNumeric(segment.words)).length >= 2;

const isLevel = (a: TextRow, b: TextRow): boolean => Math.abs(a.baseline - b.baseline) <= SAME_LINE;
