/**
 * The two inner loops of vector search, in WebAssembly. They read and write the first page of the memory (`SCRATCH`):
 * query in, scores out.
 *
 * `dots`: exact products of the int16 query with the rows at given addresses. `sketches`: products of the query in 3 bits
 * with rows of one bit a dimension: `popcnt(row & plane)` for each of the query's bit planes, the highest counting -4.
 */
import {
  compile,
  get,
  i32,
  i64,
  I32,
  I64,
  loop,
  repeatIf,
  set,
  v128,
  V128,
  when,
  type Code,
  type WasmMemory,
} from './wasm-module.ts';

/** Byte addresses in the first page. */
export const SCRATCH = {
  /** int16 × dimensions. */
  query: 0,
  /** By word of 64 dimensions, `PLANES` words each. */
  planes: 16_384,
  /** Up to `MAX_DOTS` row addresses. */
  addresses: 24_576,
  /** As many int32. */
  dots: 32_768,
  /** Up to `MAX_SKETCHES` uint16: scores, or numbers of rows. */
  rows: 40_960,
  /** One int32: how many those are. */
  count: 65_532,
} as const;

export const MAX_DOTS = 2048;
/** Sketches that are scored in one call. */
export const MAX_SKETCHES = 8192;
export const MAX_DIMENSIONS = 4096;
/** Bits of a query's dimension. */
export const PLANES = 3;
/** What is added to the score of a sketch, to make it positive. */
export const scoreOffset = (dimensions: number): number => 4 * dimensions;

export interface VectorKernels {
  dots(count: number): void;
  /** Scores the sketches at `address`, `step` bytes after it and so on, `rows` in all; their scores go to `SCRATCH.rows`. */
  sketches(address: number, rows: number, step: number): void;
  /** Scores `rows` sketches from `address` on; the numbers of those with at least this score go to `SCRATCH.rows`. */
  nearby(address: number, rows: number, score: number): void;
}

/** @param dimensions as stored: a multiple of 64. */
export function vectorKernels(memory: WasmMemory, dimensions: number): VectorKernels {
  return compile([dots(dimensions), sketches(dimensions), nearby(dimensions)], memory) as VectorKernels;
}

function dots(dimensions: number) {
  const [count, at, row, query, end, sum] = [0, 1, 2, 3, 4, 5];
  const bump = (local: number, by: number): Code => [...get(local), ...i32.const(by), ...i32.add, ...set(local)];
  const step = [0, 16, 32, 48].flatMap((offset) => [
    ...get(sum),
    ...get(row),
    ...v128.load(offset),
    ...get(query),
    ...v128.load(SCRATCH.query + offset),
    ...v128.dot16,
    ...v128.add32,
    ...set(sum),
  ]);
  const lane = (index: number): Code => [...get(sum), ...v128.lane32(index)];
  const body = loop(
    [...get(at), ...i32.load(SCRATCH.addresses), ...set(row)],
    [...i32.const(0), ...set(query), ...v128.zero, ...set(sum)],
    [...get(row), ...i32.const(dimensions * 2), ...i32.add, ...set(end)],
    loop(step, bump(row, 64), bump(query, 64), [...get(row), ...get(end), ...i32.lessThan, ...repeatIf]),
    [...get(at), ...lane(0), ...lane(1), ...i32.add, ...lane(2), ...i32.add, ...lane(3), ...i32.add],
    i32.store(SCRATCH.dots),
    bump(at, 4),
    [...get(at), ...get(count), ...i32.const(2), ...i32.shl, ...i32.lessThan, ...repeatIf],
  );
  return { name: 'dots', parameters: 1, locals: [I32, I32, I32, I32, V128], body };
}

/** Locals of the two functions over sketches, after three parameters. */
const [OUT, WORD, SCORE, ROW] = [3, 4, 5, 6];
const SUMS = [7, 8, 9] as const;
const SKETCH_LOCALS = [I32, I64, I32, I32, I64, I64, I64];

/** Sets `SCORE` to that of the sketch at the address in local 0. */
function scoreSketch(dimensions: number): Code {
  const words = Array.from({ length: dimensions / 64 }, (_, index) => index);
  const addPlane = (sum: number, index: number, plane: number): Code => [
    ...get(sum),
    ...get(WORD),
    ...i32.const(0),
    ...i64.load(SCRATCH.planes + (index * PLANES + plane) * 8),
    ...i64.and,
    ...i64.popcnt,
    ...i64.add,
    ...set(sum),
  ];
  const [low, middle, high] = SUMS;
  const shifted = (sum: number, by: number): Code => [...get(sum), ...i64.const(by), ...i64.shl];
  return [
    SUMS.flatMap((sum) => [...i64.const(0), ...set(sum)]),
    words.flatMap((index) => [
      ...get(0),
      ...i64.load(index * 8),
      ...set(WORD),
      ...SUMS.flatMap((sum, plane) => addPlane(sum, index, plane)),
    ]),
    [...get(low), ...shifted(middle, 1), ...i64.add, ...shifted(high, 2), ...i64.sub],
    [...i32.ofI64, ...i32.const(scoreOffset(dimensions)), ...i32.add, ...set(SCORE)],
  ].flat();
}

function sketches(dimensions: number) {
  const [address, rows, step] = [0, 1, 2];
  const body = loop(
    scoreSketch(dimensions),
    [...get(OUT), ...get(SCORE), ...i32.store16(SCRATCH.rows)],
    [...get(address), ...get(step), ...i32.add, ...set(address)],
    [...get(OUT), ...i32.const(2), ...i32.add, ...set(OUT)],
    [...get(OUT), ...get(rows), ...i32.const(1), ...i32.shl, ...i32.lessThan, ...repeatIf],
  );
  return { name: 'sketches', parameters: 3, locals: SKETCH_LOCALS, body };
}

function nearby(dimensions: number) {
  const [address, rows, least] = [0, 1, 2];
  const body = [
    loop(
      scoreSketch(dimensions),
      [...get(SCORE), ...get(least), ...i32.atLeast],
      when(
        [...get(OUT), ...get(ROW), ...i32.store16(SCRATCH.rows)],
        [...get(OUT), ...i32.const(2), ...i32.add, ...set(OUT)],
      ),
      [...get(address), ...i32.const(dimensions / 8), ...i32.add, ...set(address)],
      [...get(ROW), ...i32.const(1), ...i32.add, ...set(ROW)],
      [...get(ROW), ...get(rows), ...i32.lessThan, ...repeatIf],
    ),
    [...i32.const(0), ...get(OUT), ...i32.store(SCRATCH.count)],
  ].flat();
  return { name: 'nearby', parameters: 3, locals: SKETCH_LOCALS, body };
}
