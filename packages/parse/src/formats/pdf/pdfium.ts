/**
 * Loads PDFium (WebAssembly) once per process and wraps access to its memory. Other modules use scratch space and read
 * numbers and strings through this wrapper only.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/**
 * Memory limit, in bytes. Hostile files (recursive forms) exhaust any memory; the largest legitimate file took 0.5 GB.
 */
const MAX_HEAP_BYTES = 1024 ** 3;
/**
 * Heap size, in bytes, above which the module is discarded after a document, because WebAssembly memory never shrinks.
 */
const KEPT_HEAP_BYTES = 256 * 1024 ** 2;
/** Size of the scratch space in bytes: enough for a matrix, a few boxes or a short string. */
const SCRATCH_BYTES = 4096;

type Count = (...pointers: number[]) => number;

/**
 * Functions called once per character or per drawn object, as the WebAssembly module exports them: numbers only, 1
 * means true. The wrapper's checks and conversions cost five times as much as the calls.
 */
const RAW_CALLS = [
  'FPDFText_GetUnicode',
  'FPDFText_GetTextObject',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetCharBox',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetFontSize',
  'FPDFText_HasUnicodeMapError',
  'FPDFText_GetMatrix',
  'FPDFTextObj_GetFont',
  'FPDFTextObj_GetTextRenderMode',
  'FPDFPage_GetObject',
  'FPDFFormObj_CountObjects',
  'FPDFFormObj_GetObject',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetMarkedContentID',
  'FPDFPageObj_GetMatrix',
  'FPDFPageObj_GetBounds',
  'FPDFPageObj_GetFillColor',
  'FPDFPageObj_GetStrokeColor',
  'FPDFPath_GetDrawMode',
  'FPDFPath_CountSegments',
  'FPDFPath_GetPathSegment',
  'FPDFPathSegment_GetType',
  'FPDFPathSegment_GetPoint',
  'FPDFPathSegment_GetClose',
] as const;

export type RawCalls = Record<(typeof RAW_CALLS)[number], Count>;

/** Views of the module's memory; they have length 0 after the memory has grown. */
interface HeapViews {
  bytes: Uint8Array;
  integers: Int32Array;
  unsigned: Uint32Array;
  floats: Float32Array;
  doubles: Float64Array;
}

/** Writes null-terminated text into PDFium's memory; called with (0, 0) it returns the length in bytes. */
type TextWriter = (pointer: number, bytes: number) => number;

export class Pdfium {
  readonly api: WrappedPdfiumModule;
  readonly raw: RawCalls;
  /** Address of the scratch space for out parameters. Its content is valid until the next call. */
  readonly scratch: number;
  private views: HeapViews;

  constructor(api: WrappedPdfiumModule) {
    this.api = api;
    this.raw = rawCalls(api);
    this.views = viewsOf(api);
    this.scratch = this.allocate(SCRATCH_BYTES);
  }

  allocate(bytes: number): number {
    const pointer = this.api.pdfium.wasmExports.malloc(bytes);
    if (pointer === 0) throw new RangeError(`PDFium could not allocate ${bytes} bytes`);
    return pointer;
  }

  free(pointer: number): void {
    this.api.pdfium.wasmExports.free(pointer);
  }

  /** The module's memory. Read it again after every call that may allocate, because growth replaces the views. */
  get bytes(): Uint8Array {
    return this.heap.bytes;
  }

  /** Caches the views, because a property lookup on the module takes longer than reading a number. */
  private get heap(): HeapViews {
    if (this.views.bytes.length === 0) this.views = viewsOf(this.api);
    return this.views;
  }

  float(index: number): number {
    return this.heap.floats[(this.scratch >> 2) + index] ?? 0;
  }

  double(index: number): number {
    return this.heap.doubles[(this.scratch >> 3) + index] ?? 0;
  }

  /** Copies the first `count` floats of the scratch space into `target`, starting at index `at`. */
  copyFloats(target: Float32Array, at: number, count: number): void {
    const { floats } = this.heap;
    const from = this.scratch >> 2;
    for (let i = 0; i < count; i++) target[at + i] = floats[from + i] ?? 0;
  }

  copyDoubles(target: Float32Array, at: number, count: number): void {
    const { doubles } = this.heap;
    const from = this.scratch >> 3;
    for (let i = 0; i < count; i++) target[at + i] = doubles[from + i] ?? 0;
  }

  integer(index: number): number {
    return this.heap.integers[(this.scratch >> 2) + index] ?? 0;
  }

  /** Returns the 32-bit integer at an address outside the scratch space. */
  integerAt(pointer: number): number {
    return this.heap.integers[pointer >> 2] ?? 0;
  }

  unsigned(index: number): number {
    return this.heap.unsigned[(this.scratch >> 2) + index] ?? 0;
  }

  /** Copies `bytes` into PDFium's memory; the caller frees the pointer. */
  copyIn(bytes: Uint8Array): number {
    const pointer = this.allocate(bytes.byteLength);
    this.bytes.set(bytes, pointer);
    return pointer;
  }

  utf16(write: TextWriter): string {
    return this.text(write, 'utf16le', 2);
  }

  utf8(write: TextWriter): string {
    return this.text(write, 'utf8', 1);
  }

  private text(write: TextWriter, encoding: BufferEncoding, unit: number): string {
    const length = write(0, 0);
    if (length <= unit) return '';
    const pointer = length <= SCRATCH_BYTES ? this.scratch : this.allocate(length);
    try {
      write(pointer, length);
      return Buffer.from(this.bytes.subarray(pointer, pointer + length - unit)).toString(encoding);
    } finally {
      if (pointer !== this.scratch) this.free(pointer);
    }
  }
}

/** Copies the needed functions into a small object; lookups on the module's thousand exports are slow. */
function rawCalls(api: WrappedPdfiumModule): RawCalls {
  const exported = api.pdfium.wasmExports as unknown as RawCalls;
  return Object.fromEntries(RAW_CALLS.map((name) => [name, exported[name]])) as RawCalls;
}

function viewsOf({ pdfium }: WrappedPdfiumModule): HeapViews {
  const { HEAPU8: bytes, HEAP32: integers, HEAPU32: unsigned, HEAPF32: floats, HEAPF64: doubles } = pdfium;
  return { bytes, integers, unsigned, floats, doubles };
}

let loading: Promise<Pdfium> | undefined;

/** Returns the process-wide PDFium instance. The first call takes about 70 ms. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= load();
  return loading;
}

/** Discards the module if it failed or holds much memory; the next document loads a new one. */
export function releasePdfium(pdfium: Pdfium, failed: boolean): void {
  if (failed || pdfium.bytes.byteLength > KEPT_HEAP_BYTES) loading = undefined;
}

async function load(): Promise<Pdfium> {
  const require = createRequire(import.meta.url);
  const wasm = await readFile(require.resolve('@embedpdf/pdfium/pdfium.wasm'));
  const api = await init({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
    // PDFium's own output is dropped; the error that follows it is reported.
    print: () => undefined,
    printErr: () => undefined,
  });
  limitHeap(api);
  api.PDFiumExt_Init();
  return new Pdfium(api);
}

/** The used part of `WebAssembly.Memory`; a page has 64 KiB. */
interface HeapMemory {
  buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

/** Makes memory growth beyond the limit fail, as it does at the module's built-in 2 GB limit. */
function limitHeap(api: WrappedPdfiumModule): void {
  const { memory } = api.pdfium.wasmExports as unknown as { memory: HeapMemory };
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * 65_536 > MAX_HEAP_BYTES)
      throw new RangeError('PDFium is at its memory limit');
    return grow(pages);
  };
}
