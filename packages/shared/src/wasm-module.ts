/** Loads WebAssembly modules that are embedded in the code as base64. They import their memory as `env.memory`. */

/** The part of WebAssembly that is used here; Node's types do not include it. */
interface WebAssemblyApi {
  Memory: new (descriptor: { initial: number; maximum: number }) => WasmMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { env: { memory: WasmMemory } }) => { exports: object };
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Grows by pages of 64 kB; returns the previous number of pages. */
  grow(pages: number): number;
}

const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Sizes are in pages of 64 kB. */
export function wasmMemory(initial: number, maximum: number): WasmMemory {
  return new Memory({ initial, maximum });
}

/** Compiles a module. */
export const wasmModule = (base64: string): object => new Module(Buffer.from(base64, 'base64'));

/** Returns the functions of a module over the memory, by name. */
export function instantiate(module: object, memory: WasmMemory): object {
  return new Instance(module, { env: { memory } }).exports;
}
