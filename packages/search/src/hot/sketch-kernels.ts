/**
 * The loops over sketches, rows of one bit a dimension: a row's score is the sum of what the query's tables hold for each
 * four of its bits. Sixteen rows are scored at once, one in each byte of a vector, for a table of 16 bytes is looked up for
 * 16 rows by one instruction (André, Kermarrec, Le Scouarnec: "Cache locality is not enough", VLDB 2015).
 *
 * They stand in blocks of 16: the first bytes of all, then the second ones and so on. Adjacent rows are in different blocks,
 * so that one block in so many is a fair sample: of a page of n blocks row r is in block r mod n.
 */
import { SCRATCH } from './scratch.ts';
import { get, i32, I32, loop, repeatIf, set, v128, V128, when, type Code } from '@quire/shared/wasm-module';

/** Rows of a block: bytes of a vector. */
export const BLOCK_ROWS = 16;
/** Four of these can be added in a byte. */
export const MAX_TABLE_VALUE = 63;
/** Dimensions that one pass of the inner loop looks at. */
const DIMENSIONS_AT_ONCE = 64;

const vectorOf = (low: number, high: number): Code => v128.const(Array.from({ length: 8 }, () => [low, high]).flat());
const bump = (local: number, by: number): Code => [...get(local), ...i32.const(by), ...i32.add, ...set(local)];

/** Locals of both functions, after three parameters: the first is the address. */
const [OUT, BLOCK, ROW, TABLE, END, BITS] = [3, 4, 5, 6, 7, 8];
const [EVEN, ODD, FIRST, SECOND, SUM] = [9, 10, 11, 12, 13];
const LOCALS = [I32, I32, I32, I32, I32, I32, V128, V128, V128, V128, V128];

/** Sets `EVEN` and `ODD` to the scores, in 16 bits, of the even and the odd rows of the block at `address` (local 0). */
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
  /** Two bytes of each row, so four tables. */
  const step = (index: number): Code[] => [
    [...column(index), ...set(FIRST), ...column(index + 1), ...set(SECOND)],
    [...lookUp(tables(index), low(FIRST)), ...lookUp(tables(index) + BLOCK_ROWS, high(FIRST)), ...v128.add8],
    [...lookUp(tables(index + 1), low(SECOND)), ...v128.add8],
    [...lookUp(tables(index + 1) + BLOCK_ROWS, high(SECOND)), ...v128.add8, ...set(SUM)],
    [...get(EVEN), ...get(SUM), ...vectorOf(255, 0), ...v128.and, ...v128.add16, ...set(EVEN)],
    [...get(ODD), ...get(SUM), ...i32.const(8), ...v128.shr16, ...v128.add16, ...set(ODD)],
  ];
  const bytes = DIMENSIONS_AT_ONCE / 8;
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

/** Eight scores of even rows, eight of odd ones and so on. */
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

/** The place of a row in its page is its place in the block times the number of blocks, and that of the block. */
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
