/** A range `[start, end)` of a text, in UTF-16 code units. */
export interface TextRange {
  start: number;
  end: number;
}

/** Returns links or marks with their offsets increased by `by`. */
export const shifted = <Range extends TextRange>(ranges: readonly Range[], by: number): Range[] =>
  ranges.map((range) => ({ ...range, start: range.start + by, end: range.end + by }));
