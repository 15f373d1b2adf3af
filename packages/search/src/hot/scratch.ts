/** What the kernels read and write in the first page of the memory, and how much at most. */

/** Byte addresses. */
export const SCRATCH = {
  /** int16 × dimensions. */
  query: 0,
  /** For each four dimensions 16 bytes (`Sketcher`). */
  tables: 8192,
  /** Up to `MAX_DOTS` row addresses. */
  addresses: 24_576,
  /** As many int32. */
  dots: 32_768,
  /** Up to `MAX_SKETCHES` uint16: scores, or places of rows. */
  rows: 40_960,
  /** One int32: how many those are. */
  count: 65_532,
} as const;

export const MAX_DOTS = 2048;
/** Sketches that are scored in one call. */
export const MAX_SKETCHES = 8192;
export const MAX_DIMENSIONS = 4096;
