/**
 * The layout of sketches of one bit per dimension. Rows are stored in blocks of 16: the first bytes of all rows, then
 * the second bytes, and so on. Adjacent rows are in different blocks, so that every n-th block is a fair sample: in a
 * page of n blocks, row r is in block r mod n.
 */

/** Number of rows of a block, which is the number of bytes of a SIMD vector. */
export const BLOCK_ROWS = 16;
/** Largest table entry: four of them fit in a byte. */
export const MAX_TABLE_VALUE = 63;

/** @param dimensions a multiple of 64. */
export const blockBytes = (dimensions: number): number => (dimensions / 8) * BLOCK_ROWS;
