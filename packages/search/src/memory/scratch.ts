/** Layout and capacities of the first memory page, through which the kernels exchange their inputs and outputs. */

/** Byte addresses. */
export const SCRATCH = {
  /** int16 × dimensions. */
  query: 0,
  /** 16 bytes for each four dimensions (`Sketcher`). */
  tables: 8192,
  /** Up to `MAX_DOTS` row addresses. */
  addresses: 24_576,
  /** Up to `MAX_DOTS` int32 products. */
  dots: 32_768,
  /** Up to `MAX_SKETCHES` uint16: scores, or positions of rows. */
  rows: 40_960,
  /** One int32: the number of bytes written to `rows`. */
  count: 65_532,
} as const;

export const MAX_DOTS = 2048;
/** Maximum number of sketches scored in one call. */
export const MAX_SKETCHES = 8192;
export const MAX_DIMENSIONS = 4096;
