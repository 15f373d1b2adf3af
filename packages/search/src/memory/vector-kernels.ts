/**
 * The inner loops of vector search in WebAssembly: `dots` computes exact products of the int16 query with the rows at
 * given addresses, `sketches` and `nearby` score sketches. Inputs and outputs are in the first page of the memory
 * (`SCRATCH`). The source is `packages/search/kernels/vectors.ts`.
 */
import { instantiate, wasmModule, type WasmMemory } from '@quire/shared/wasm-module';
import { WASM } from './generated/vectors-wasm.ts';
import { SCRATCH } from './scratch.ts';
import { blockBytes } from './sketch-layout.ts';

export interface VectorKernels {
  dots(count: number): void;
  /**
   * Scores `blocks` blocks of 16 sketches from `address` on, `step` bytes apart, and writes the scores to
   * `SCRATCH.rows`.
   */
  sketches(address: number, blocks: number, step: number): void;
  /**
   * Scores `blocks` adjacent blocks, writes the positions of rows with at least this score to `SCRATCH.rows`, and their
   * length in bytes to `SCRATCH.count`.
   */
  nearby(address: number, blocks: number, score: number): void;
}

interface Compiled {
  dots(query: number, addresses: number, count: number, rowBytes: number, out: number): void;
  sketches(tables: number, address: number, blocks: number, step: number, blockBytes: number, out: number): void;
  nearby(
    tables: number,
    address: number,
    blocks: number,
    least: number,
    blockBytes: number,
    out: number,
    length: number,
  ): void;
}

const { query, tables, addresses, dots: products, rows, count: rowsLength } = SCRATCH;
const compiled = wasmModule(WASM);

/** @param dimensions padded number of dimensions, a multiple of 64. */
export function vectorKernels(memory: WasmMemory, dimensions: number): VectorKernels {
  const kernels = instantiate(compiled, memory) as Compiled;
  const bytes = blockBytes(dimensions);
  return {
    dots: (count) => kernels.dots(query, addresses, count, dimensions * 2, products),
    sketches: (address, blocks, step) => kernels.sketches(tables, address, blocks, step, bytes, rows),
    nearby: (address, blocks, score) => kernels.nearby(tables, address, blocks, score, bytes, rows, rowsLength),
  };
}
