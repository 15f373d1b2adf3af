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
  /** Up to `MAX_SKETCHES` uint16. */
  scores: 40_960,
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
  /** Scores `rows` sketches that lie from `address` on. */
  sketches(address: number, rows: number): void;
}

/** @param dimensions as stored: a multiple of 64. */
export function vectorKernels(memory: WasmMemory, dimensions: number): VectorKernels {
  return compile([dots(dimensions), sketches(dimensions)], memory) as VectorKernels;
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

function sketches(dimensions: number) {
  const [address, rows, out, word] = [0, 1, 2, 3];
  const sums = [4, 5, 6] as const;
  const words = Array.from({ length: dimensions / 64 }, (_, index) => index);
  const addPlane = (index: number, plane: number): Code => [
    ...get(sums[plane] ?? 0),
    ...get(word),
    ...i32.const(0),
    ...i64.load(SCRATCH.planes + (index * PLANES + plane) * 8),
    ...i64.and,
    ...i64.popcnt,
    ...i64.add,
    ...set(sums[plane] ?? 0),
  ];
  const shifted = (plane: number): Code => [...get(sums[plane] ?? 0), ...i64.const(plane), ...i64.shl];
  const body = loop(
    sums.flatMap((sum) => [...i64.const(0), ...set(sum)]),
    words.flatMap((index) => [
      ...get(address),
      ...i64.load(index * 8),
      ...set(word),
      ...[0, 1, 2].flatMap((plane) => addPlane(index, plane)),
    ]),
    get(out),
    [...shifted(0), ...shifted(1), ...i64.add, ...shifted(2), ...i64.sub],
    [...i32.ofI64, ...i32.const(scoreOffset(dimensions)), ...i32.add, ...i32.store16(SCRATCH.scores)],
    [...get(address), ...i32.const(dimensions / 8), ...i32.add, ...set(address)],
    [...get(out), ...i32.const(2), ...i32.add, ...set(out)],
    [...get(out), ...get(rows), ...i32.const(1), ...i32.shl, ...i32.lessThan, ...repeatIf],
  );
  return { name: 'sketches', parameters: 2, locals: [I32, I64, I64, I64, I64], body };
}
