/**
 * The inner loops of vector search in WebAssembly: `dots` computes exact products of the int16 query with the rows at
 * given addresses, `sketches` and `nearby` score sketches. Inputs and outputs are in the first page of the memory
 * (`SCRATCH`).
 */
import { SCRATCH } from './scratch.ts';
import { nearby, sketches } from './sketch-kernels.ts';
import {
  compile,
  get,
  i32,
  I32,
  loop,
  repeatIf,
  set,
  v128,
  V128,
  type Code,
  type WasmMemory,
} from '@quire/shared/wasm-module';

export interface VectorKernels {
  dots(count: number): void;
  /**
   * Scores `blocks` blocks of 16 sketches from `address` on, `step` bytes apart, and writes the scores to
   * `SCRATCH.rows`.
   */
  sketches(address: number, blocks: number, step: number): void;
  /** Scores `blocks` adjacent blocks and writes the positions of rows with at least this score to `SCRATCH.rows`. */
  nearby(address: number, blocks: number, score: number): void;
}

/** @param dimensions padded number of dimensions, a multiple of 64. */
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
