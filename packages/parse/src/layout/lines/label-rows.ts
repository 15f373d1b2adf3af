/** Joins labels with the values beside them, as on forms: `Name:` and, some way to the right, `Ada`. */
import { isRightToLeft, lineOf, textOf, type Line } from './line.ts';

const LABEL = /[\p{L}\p{N})][:：]$/u;
/** Maximum number of words of a label. */
const MAX_WORDS = 6;
/** Maximum distance of a value, and maximum baseline difference, in font sizes. */
const MAX_GAP = 14;
const SAME_LINE = 0.3;
/** Maximum number of lines of a page on which labels are searched, because every pair is compared. */
const MAX_LINES = 1500;

/** Returns the lines with the value of each label joined to it. */
export function withLabelRows(lines: readonly Line[]): readonly Line[] {
  const labels = lines.filter(isLabel);
  if (labels.length === 0 || lines.length > MAX_LINES) return lines;
  const values = new Map<Line, Line>();
  for (const label of labels) {
    const value = nextOnLine(label, lines);
    if (value !== undefined && !isLabel(value) && !values.has(value)) values.set(value, label);
  }
  if (values.size === 0) return lines;
  const joined = new Map(Array.from(values, ([value, label]) => [label, value]));
  return lines.flatMap((line) => {
    const value = joined.get(line);
    if (value !== undefined) return [lineOf([...line.words, ...value.words], line.order)];
    return values.has(line) ? [] : [line];
  });
}

/** Checks for a label whose value was separated from it by a gap. */
export const isLabelRow = ({ words }: Line): boolean =>
  words.some((word, index) => {
    const next = words[index + 1];
    return next !== undefined && LABEL.test(word.text) && next.x0 - word.x1 > 1.6 * word.size;
  });

const isLabel = (line: Line): boolean =>
  line.words.length <= MAX_WORDS && line.words[0]?.angle === 0 && LABEL.test(textOf(line.words));

/** Returns the nearest line to the right on the same baseline; text of right-to-left scripts is left as it is. */
function nextOnLine(label: Line, lines: readonly Line[]): Line | undefined {
  if (isRightToLeft(label.words)) return undefined;
  let nearest: Line | undefined;
  for (const line of lines) {
    const isBeside =
      line.x0 >= label.x1 &&
      line.x0 - label.x1 < MAX_GAP * label.size &&
      Math.abs(line.baseline - label.baseline) < SAME_LINE * label.size;
    if (isBeside && line.words[0]?.angle === 0 && (nearest === undefined || line.x0 < nearest.x0)) nearest = line;
  }
  return nearest;
}
