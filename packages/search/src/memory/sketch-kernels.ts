/**
 * The loops over sketches of one bit per dimension. A row's score is the sum of the query's table entries for each four
 * of its bits. Sixteen rows are scored at once, one per byte of a SIMD vector: one instruction looks up a 16-byte table
 * for 16 rows (André, Kermarrec, Le Scouarnec: "Cache locality is not enough", VLDB 2015).
 *
 * Rows are stored in blocks of 16: the first bytes of all rows, then the second bytes, and so on. Adjacent rows are in
 * different blocks, so that every n-th block is a fair sample: in a page of n blocks, row r is in block r mod n.
 */
import { SCRATCH } from './scratch.ts';
import { get, i32, I32, loop, repeatIf, set, v128, V128, when, type Code } from '@quire/shared/wasm-module';

/** Number of rows of a block, which is the number of bytes of a SIMD vector. */
export const BLOCK_ROWS = 16;
/** Largest table entry: four of them fit in a byte. */
export const MAX_TABLE_VALUE = 63;
/** Number of dimensions that one pass of the inner loop covers. */
const DIMENSIONS_PER_PASS = 64;

const vectorOf = (low: number, high: number): Code => v128.const(Array.from({ length: 8 }, () => [low, high]).flat());
const bump = (local: number, by: number): Code => [...get(local), ...i32.const(by), ...i32.add, ...set(local)];

/** Local variables of both functions. Locals 0 to 2 are parameters; the first is the address. */
const [OUT, BLOCK, ROW, TABLE, END, BITS] = [3, 4, 5, 6, 7, 8];
const [EVEN, ODD, FIRST, SECOND, SUM] = [9, 10, 11, 12, 13];
const LOCALS = [I32, I32, I32, I32, I32, I32, V128, V128, V128, V128, V128];

/**
 * Sets `EVEN` and `ODD` to the scores, in 16 bits, of the even and the odd rows of the block at `address` (local 0).
 */
function scoreBlock(dimensions: number): Code {
  const lookUp = (table: number, bytes: Code): Code => [...get(TABLE), ...v128.load(table), ...bytes, ...v128.swizzle];
  const low = (bytes: number): Code => [...get(bytes), ...vectorOf(15, 15), ...v128.and];
  const high = (bytes: number): Code => [
    ...get(bytes),
    ...i32.const(4),
    ...v128.shr16,
    ...vectorOf(15, 15),
    ...v128.and,
  ];
  const column = (index: number): Code => [...get(ROW), ...v128.load(index * BLOCK_ROWS)];
  const tables = (index: number): number => SCRATCH.tables + index * 2 * BLOCK_ROWS;
  /** Scores two bytes of each row with four tables. */
  const step = (index: number): Code[] => [
    [...column(index), ...set(FIRST), ...column(index + 1), ...set(SECOND)],
    [...lookUp(tables(index), low(FIRST)), ...lookUp(tables(index) + BLOCK_ROWS, high(FIRST)), ...v128.add8],
    [...lookUp(tables(index + 1), low(SECOND)), ...v128.add8],
    [...lookUp(tables(index + 1) + BLOCK_ROWS, high(SECOND)), ...v128.add8, ...set(SUM)],
    [...get(EVEN), ...get(SUM), ...vectorOf(255, 0), ...v128.and, ...v128.add16, ...set(EVEN)],
    [...get(ODD), ...get(SUM), ...i32.const(8), ...v128.shr16, ...v128.add16, ...set(ODD)],
  ];
  const bytes = DIMENSIONS_PER_PASS / 8;
  return [
    [...v128.zero, ...set(EVEN), ...v128.zero, ...set(ODD), ...i32.const(0), ...set(TABLE)],
    [...get(0), ...set(ROW), ...get(0), ...i32.const(blockBytes(dimensions)), ...i32.add, ...set(END)],
    loop(
      ...Array.from({ length: bytes / 2 }, (_, index) => step(index * 2)).flat(),
      bump(ROW, bytes * BLOCK_ROWS),
      bump(TABLE, bytes * 2 * BLOCK_ROWS),
      [...get(ROW), ...get(END), ...i32.lessThan, ...repeatIf],
    ),
  ].flat();
}

/** @param dimensions a multiple of 64. */
export const blockBytes = (dimensions: number): number => (dimensions / 8) * BLOCK_ROWS;

/** Writes per block eight scores of the even rows, then eight of the odd rows. */
export function sketches(dimensions: number) {
  const [address, blocks, step] = [0, 1, 2];
  const body = loop(
    scoreBlock(dimensions),
    [...get(OUT), ...get(EVEN), ...v128.store(SCRATCH.rows)],
    [...get(OUT), ...get(ODD), ...v128.store(SCRATCH.rows + BLOCK_ROWS)],
    [...get(address), ...get(step), ...i32.add, ...set(address)],
    bump(OUT, BLOCK_ROWS * 2),
    bump(BLOCK, 1),
    [...get(BLOCK), ...get(blocks), ...i32.lessThan, ...repeatIf],
  );
  return { name: 'sketches', parameters: 3, locals: LOCALS, body };
}

/** Writes row positions: the row's position in its block times the number of blocks, plus the block's number. */
export function nearby(dimensions: number) {
  const [address, blocks, least] = [0, 1, 2];
  const reaches = (scores: number): Code => [...get(scores), ...get(least), ...v128.splat16, ...v128.atLeast16];
  const body = [
    loop(
      scoreBlock(dimensions),
      [...reaches(EVEN), ...reaches(ODD), ...vectorOf(255, 0), ...v128.select, ...v128.bitmask8, ...set(BITS)],
      get(BITS),
      when(
        loop(
          [...get(OUT), ...get(BITS), ...i32.ctz, ...get(blocks), ...i32.mul, ...get(BLOCK), ...i32.add],
          i32.store16(SCRATCH.rows),
          bump(OUT, 2),
          [...get(BITS), ...get(BITS), ...i32.const(1), ...i32.sub, ...i32.and, ...set(BITS)],
          [...get(BITS), ...repeatIf],
        ),
      ),
      bump(address, blockBytes(dimensions)),
      bump(BLOCK, 1),
      [...get(BLOCK), ...get(blocks), ...i32.lessThan, ...repeatIf],
    ),
    [...i32.const(0), ...get(OUT), ...i32.store(SCRATCH.count)],
  ].flat();
  return { name: 'nearby', parameters: 3, locals: LOCALS, body };
}
