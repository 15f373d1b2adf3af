/** Measures the WebAssembly loops of vector search and of the static embedding model: the fastest of many rounds. */
import { TokenSums } from '../packages/models/src/local/static/token-sums.ts';
import { vectorKernels, type VectorKernels } from '../packages/search/src/memory/vector-kernels.ts';
import { SCRATCH } from '../packages/search/src/memory/scratch.ts';
import { wasmMemory, type WasmMemory } from '../packages/shared/src/wasm-module.ts';

const PAGE_BYTES = 65_536;
const PAGES = 16;
const ROUNDS = 200;
const [DOTS, TOKENS, VOCABULARY] = [1024, 250, 4000];

type Loops = Record<string, () => void>;

/** Pseudo-random bytes (a linear congruential generator). */
function fill(bytes: Uint8Array, below: number): void {
  let state = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = (state >>> 24) % below;
  }
}

/** `open` returns the kernels of a memory for a number of dimensions. */
export function vectorLoops(
  dimensions: number,
  open: (memory: WasmMemory, dimensions: number) => VectorKernels = vectorKernels,
): Loops {
  const memory = wasmMemory(PAGES + 1, PAGES + 1);
  const [bytes, words] = [new Uint8Array(memory.buffer), new Int32Array(memory.buffer)];
  fill(bytes.subarray(0, SCRATCH.tables), 256);
  fill(bytes.subarray(SCRATCH.tables, SCRATCH.addresses), 64);
  fill(bytes.subarray(PAGE_BYTES), 256);
  const rows = Math.floor((PAGES * PAGE_BYTES) / (dimensions * 2));
  for (let index = 0; index < DOTS; index += 1) {
    words[SCRATCH.addresses / 4 + index] = PAGE_BYTES + ((index * 7919) % rows) * dimensions * 2;
  }
  const kernels = open(memory, dimensions);
  const blockBytes = dimensions * 2;
  const blocks = Math.min(512, Math.floor(PAGE_BYTES / blockBytes));
  const eachPage = (call: (address: number) => void): void => {
    for (let page = 1; page <= PAGES; page += 1) call(page * PAGE_BYTES);
  };
  const least = Math.round((dimensions / 4) * 31.5 * 1.05);
  return {
    [`dots, ${DOTS} rows of ${dimensions} dimensions`]: () => kernels.dots(DOTS),
    [`sketches, ${PAGES * blocks * 16} rows of ${dimensions} dimensions`]: () =>
      eachPage((address) => kernels.sketches(address, blocks, blockBytes)),
    [`nearby, ${PAGES * blocks * 16} rows of ${dimensions} dimensions`]: () =>
      eachPage((address) => kernels.nearby(address, blocks, least)),
  };
}

export function sumLoops(dimensions: number, Sums: typeof TokenSums = TokenSums): Loops {
  const matrix = new Int8Array(VOCABULARY * dimensions);
  fill(new Uint8Array(matrix.buffer), 256);
  const scales = Float32Array.from({ length: VOCABULARY }, (_, row) => 1 / (row + 100));
  const sums = new Sums({ matrix, scales, dimensions });
  const rows = Int32Array.from({ length: TOKENS }, (_, index) => (index * 7919) % VOCABULARY);
  return { [`sum, ${TOKENS} tokens of ${dimensions} dimensions`]: () => void sums.sumOf(rows) };
}

/** Returns the fastest time of each loop in µs; the loops take turns, so that all see the same load of the machine. */
export function measure(loops: Loops): Record<string, number> {
  const fastest = Object.fromEntries(Object.keys(loops).map((name) => [name, Infinity]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(loops)) {
      const start = performance.now();
      run();
      fastest[name] = Math.min(fastest[name] ?? Infinity, (performance.now() - start) * 1000);
    }
  }
  return fastest;
}

if (process.argv[1]?.endsWith('kernels.ts')) {
  for (const [name, micros] of Object.entries(
    measure({ ...vectorLoops(256), ...vectorLoops(384), ...sumLoops(256) }),
  )) {
    console.log(`${name}: ${micros.toFixed(1)} µs`);
  }
}
