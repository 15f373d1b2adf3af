/**
 * A minimal assembler for hand-written WebAssembly functions (https://webassembly.github.io/spec/core/binary/).
 * Instructions are byte lists that `compile` assembles. Memory is imported as `env.memory`.
 */

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

export type Code = readonly number[];

/** Encodes unsigned LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Encodes signed LEB128. */
function signed(value: number): Code {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const vector = (parts: readonly Code[]): Code => [...unsigned(parts.length), ...parts.flat()];
const name = (text: string): Code => sized([...Buffer.from(text)]);
/** Alignment is only a hint; 0 is always valid. */
const memoryAt = (offset: number): Code => [0, ...unsigned(offset)];

export const I32 = 0x7f;
export const V128 = 0x7b;

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const loop = (...body: Code[]): Code => [0x03, 0x40, ...body.flat(), 0x0b];
/** Runs the body if the value on the stack is not 0. */
export const when = (...body: Code[]): Code => [0x04, 0x40, ...body.flat(), 0x0b];
/** Repeats the innermost loop if the value on the stack is not 0. */
export const repeatIf: Code = [0x0d, 0];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  load: (offset: number): Code => [0x28, ...memoryAt(offset)],
  store: (offset: number): Code => [0x36, ...memoryAt(offset)],
  store16: (offset: number): Code => [0x3b, ...memoryAt(offset)],
  lessThan: [0x49],
  atLeast: [0x4f],
  add: [0x6a],
  sub: [0x6b],
  mul: [0x6c],
  and: [0x71],
  shl: [0x74],
  /** Index of the lowest bit that is set. */
  ctz: [0x68],
} as const;

export const v128 = {
  load: (offset: number): Code => [0xfd, 0x00, ...memoryAt(offset)],
  store: (offset: number): Code => [0xfd, 0x0b, ...memoryAt(offset)],
  const: (bytes: Code): Code => [0xfd, 0x0c, ...bytes],
  zero: [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)],
  and: [0xfd, 0x4e],
  /** Takes each bit from the first operand where the third has a 1, otherwise from the second. */
  select: [0xfd, 0x52],
  /** Looks up the bytes of the second operand in the first, a table of 16 bytes. */
  swizzle: [0xfd, 0x0e],
  /** Returns the highest bit of each of the 16 bytes as one number. */
  bitmask8: [0xfd, 0x64],
  add8: [0xfd, 0x6e],
  splat16: [0xfd, 0x10],
  add16: [0xfd, 0x8e, 0x01],
  /** Shifts unsigned. */
  shr16: [0xfd, 0x8d, 0x01],
  atLeast16: [0xfd, 0x36],
  lane32: (lane: number): Code => [0xfd, 0x1b, lane],
  add32: [0xfd, 0xae, 0x01],
  /** Multiplies eight pairs of int16 and adds the products in pairs to four int32. */
  dot16: [0xfd, 0xba, 0x01],
} as const;

export const i16x8 = {
  /** Loads eight int8. */
  load8: (offset: number): Code => [0xfd, 0x01, ...memoryAt(offset)],
} as const;

export const i32x4 = {
  ofLow16: [0xfd, 0xa7, 0x01],
  ofHigh16: [0xfd, 0xa8, 0x01],
} as const;

export const f32x4 = {
  /** Loads one float into four lanes. */
  loadSplat: (offset: number): Code => [0xfd, 0x09, ...memoryAt(offset)],
  ofI32: [0xfd, 0xfa, 0x01],
  add: [0xfd, 0xe4, 0x01],
  mul: [0xfd, 0xe6, 0x01],
} as const;

export interface WasmFunction {
  name: string;
  /** Number of i32 parameters; local 0 is the first. */
  parameters: number;
  /** Types of the locals after the parameters. */
  locals: readonly number[];
  body: Code;
}

/** Sizes are in pages of 64 kB. */
export function wasmMemory(initial: number, maximum: number): WasmMemory {
  return new Memory({ initial, maximum });
}

/** Compiles functions without results over the memory, and returns them by name. */
export function compile(functions: readonly WasmFunction[], memory: WasmMemory): object {
  return new Instance(moduleOf(functions), { env: { memory } }).exports;
}

/** The magic number and version 1. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

function moduleOf(functions: readonly WasmFunction[]): object {
  const section = (id: number, parts: readonly Code[]): Code => [id, ...sized(vector(parts))];
  const types = functions.map(({ parameters }) => [
    0x60,
    ...vector(Array.from({ length: parameters }, () => [I32])),
    0,
  ]);
  const bodies = functions.map(({ locals, body }) =>
    sized([...vector(locals.map((type) => [1, type])), ...body, 0x0b]),
  );
  return new Module(
    Uint8Array.from([
      ...MAGIC,
      ...section(1, types),
      ...section(2, [[...name('env'), ...name('memory'), 0x02, 0x00, 1]]),
      ...section(
        3,
        functions.map((_, index) => unsigned(index)),
      ),
      ...section(
        7,
        functions.map((each, index) => [...name(each.name), 0x00, ...unsigned(index)]),
      ),
      ...section(10, bodies),
    ]),
  );
}
