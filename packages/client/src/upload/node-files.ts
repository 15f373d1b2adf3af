/**
 * Access to files in Node, Bun and Deno. The modules are looked up when they are used: bundlers for browsers see no
 * import of them.
 */
import type { FileSource } from './source.ts';
import { toStream } from './stream.ts';

interface Modules {
  'node:fs': { createReadStream(path: string): AsyncIterable<Uint8Array> };
  'node:fs/promises': { stat(path: string): Promise<{ size: number; isFile(): boolean }> };
  'node:path': { basename(path: string): string };
  'node:crypto': {
    createHash(name: 'sha256'): { update(piece: Uint8Array): void; digest(encoding: 'hex'): string };
  };
}

/** Returns a module of Node; undefined in browsers and on Node before 20.16. */
export function builtin<N extends keyof Modules>(name: N): Modules[N] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as Modules[N] | undefined;
}

/** Returns a file on disk; it is read in pieces each time that it is sent. */
export async function openPath(path: string): Promise<FileSource> {
  const [fs, promises, paths] = [builtin('node:fs'), builtin('node:fs/promises'), builtin('node:path')];
  if (fs === undefined || promises === undefined || paths === undefined)
    throw new TypeError('paths need Node 20.16, Bun or Deno');
  const found = await promises.stat(path);
  if (!found.isFile()) throw new TypeError(`${path} is not a file`);
  const stream = (): ReturnType<FileSource['stream']> => toStream(fs.createReadStream(path));
  return { name: paths.basename(path), type: '', sizeBytes: found.size, once: false, blob: undefined, stream };
}
