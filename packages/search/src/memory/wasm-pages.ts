/**
 * The WebAssembly memory for the vectors of all tables, in pages of 64 kB; one memory per table would reserve gigabytes
 * of address space each. It grows as needed and never shrinks, but pages are reused, so the memory budget bounds it.
 */
import { vectorKernels, type VectorKernels } from './vector-kernels.ts';
import { wasmMemory } from '@quire/shared/wasm-module';

export const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
/** Maximum memory of the vectors of all tables: the address space of WebAssembly. */
export const MAX_VECTOR_BYTES = MAX_PAGES * PAGE_BYTES;
/**
 * Number of pages added at once: at least, and as a share of the present ones. Each growth replaces all views and makes
 * V8 collect garbage, since it counts the replaced buffer as used until then. Unused pages take no memory.
 */
const MIN_GROW_PAGES = 16;
const GROW_SHARE = 1 / 8;

export class WasmPages {
  readonly #memory = wasmMemory(1, MAX_PAGES);
  readonly #kernels = new Map<number, VectorKernels>();
  #free: number[] = [];
  #int16 = new Int16Array(this.#memory.buffer);
  #uint8 = new Uint8Array(this.#memory.buffer);
  #uint16 = new Uint16Array(this.#memory.buffer);
  #int32 = new Int32Array(this.#memory.buffer);

  /** Returns the byte address of a page with arbitrary contents. Throws `RangeError` when memory runs out. */
  allocate(): number {
    if (this.#free.length === 0) this.#grow(this.#nextGrowth());
    return this.#free.pop() ?? 0;
  }

  /** Grows the memory at once for this number of pages. Throws `RangeError` when memory runs out. */
  reserve(pages: number): void {
    const missing = pages - this.#free.length;
    if (missing > 0) this.#grow(missing);
  }

  release(addresses: readonly number[]): void {
    this.#free.push(...addresses);
  }

  /** Views of the whole memory; valid until the next `allocate`. */
  get int16(): Int16Array {
    return this.#int16;
  }

  get uint8(): Uint8Array {
    return this.#uint8;
  }

  get uint16(): Uint16Array {
    return this.#uint16;
  }

  get int32(): Int32Array {
    return this.#int32;
  }

  /** Returns the kernels, which are compiled once per row length. */
  kernels(dimensions: number): VectorKernels {
    const kernels = this.#kernels.get(dimensions) ?? vectorKernels(this.#memory, dimensions);
    this.#kernels.set(dimensions, kernels);
    return kernels;
  }

  #nextGrowth(): number {
    const present = this.#memory.buffer.byteLength / PAGE_BYTES;
    const wanted = Math.max(MIN_GROW_PAGES, Math.floor(present * GROW_SHARE));
    return Math.max(1, Math.min(wanted, MAX_PAGES - present));
  }

  #grow(pages: number): void {
    const first = this.#memory.grow(pages);
    // Taken from the end: pages that were used before, then the lowest address.
    const added = Array.from({ length: pages }, (_, at) => (first + pages - 1 - at) * PAGE_BYTES);
    this.#free = [...added, ...this.#free];
    const { buffer } = this.#memory;
    this.#int16 = new Int16Array(buffer);
    this.#uint8 = new Uint8Array(buffer);
    this.#uint16 = new Uint16Array(buffer);
    this.#int32 = new Int32Array(buffer);
  }
}
