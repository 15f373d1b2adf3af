/**
 * Access to files in Node, Bun and Deno. The modules are looked up when they are used: bundlers for browsers see
 * no import of them.
 */
import type { FileSource } from './source.ts';
import { toStream } from './stream.ts';

interface Modules {
  'node:fs': { createReadStream(path: string): AsyncIterable<Uint8Array> };
  'node:fs/promises': { stat(path: string): Promise<{ size: number; isFile(): boolean }> };
  'node:path': { basename(path: string): string };
}

/** Throws a `TypeError` in browsers. */
function nodeModule<N extends keyof Modules>(name: N): Modules[N] {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const found = process?.getBuiltinModule?.(name);
  if (found === undefined)
    throw new TypeError('paths need Node 20.16 or newer, Bun or Deno; pass a File or { name, content } elsewhere');
  return found as Modules[N];
}

/** Returns a file on disk; it is read in pieces each time that it is sent. */
export async function openPath(path: string): Promise<FileSource> {
  const found = await nodeModule('node:fs/promises').stat(path);
  if (!found.isFile()) throw new TypeError(`${path} is not a file`);
  const fs = nodeModule('node:fs');
  const name = nodeModule('node:path').basename(path);
  const stream = (): ReturnType<FileSource['stream']> => toStream(fs.createReadStream(path));
  return { name, type: '', sizeBytes: found.size, once: false, blob: undefined, stream };
}
