/**
 * The object store of one machine: a directory. A `put` writes a temporary file in the same file system, fsyncs it,
 * renames it into place and fsyncs the folders that changed, so what has been answered survives a power cut.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '../shared/error-code.ts';
import type { ObjectStat, ObjectStore } from './object-store.ts';

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const TEMPORARY = '.tmp';
/** A write that was interrupted this long ago is not going on any more. */
const ABANDONED_MS = 3_600_000;

export class FilesystemStore implements ObjectStore {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Opens the store, making the directory when needed and removing what interrupted writes left behind. */
  static async open(directory: string): Promise<FilesystemStore> {
    const temporary = path.join(directory, TEMPORARY);
    await mkdir(temporary, { recursive: true });
    for (const name of await readdir(temporary)) {
      const file = path.join(temporary, name);
      const { mtimeMs } = await stat(file);
      if (Date.now() - mtimeMs > ABANDONED_MS) await rm(file, { force: true });
    }
    return new FilesystemStore(directory);
  }

  async put(key: string, body: Readable | Buffer, signal?: AbortSignal): Promise<ObjectStat> {
    const target = this.#path(key);
    const temporary = path.join(this.#root, TEMPORARY, randomUUID());
    const handle = await open(temporary, 'wx', 0o640);
    try {
      for await (const piece of Buffer.isBuffer(body) ? [body] : (body as AsyncIterable<Buffer>)) {
        signal?.throwIfAborted();
        await handle.writeFile(piece);
      }
      await handle.sync();
      const { size } = await handle.stat();
      await handle.close();
      await this.#place(temporary, target);
      return { sizeBytes: size };
    } catch (error) {
      await handle.close();
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async putFile(key: string, file: string, signal?: AbortSignal): Promise<ObjectStat> {
    const target = this.#path(key);
    signal?.throwIfAborted();
    const handle = await open(file, 'r');
    let sizeBytes: number;
    try {
      await handle.sync();
      sizeBytes = (await handle.stat()).size;
    } finally {
      await handle.close();
    }
    try {
      await this.#place(file, target);
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      // The file lies on another disk: copied here first, then it is a local rename like any other.
      const temporary = path.join(this.#root, TEMPORARY, randomUUID());
      await copyFile(file, temporary);
      await this.putFile(key, temporary, signal);
      await rm(file, { force: true });
    }
    return { sizeBytes };
  }

  async get(key: string, range?: readonly [number, number]): Promise<Readable | undefined> {
    const file = this.#path(key);
    try {
      const handle = await open(file, 'r');
      return handle.createReadStream(range === undefined ? {} : { start: range[0], end: range[1] });
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    try {
      return { sizeBytes: (await stat(this.#path(key))).size };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The object's own file: nothing is copied. */
  async checkout(key: string): Promise<{ path: string; release: () => Promise<void> } | undefined> {
    const file = this.#path(key);
    return (await this.stat(key)) === undefined ? undefined : { path: file, release: () => Promise.resolve() };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async deletePrefix(prefix: string): Promise<void> {
    if (!prefix.endsWith('/')) throw new Error(`a prefix ends in '/': ${prefix}`);
    await rm(this.#path(prefix.slice(0, -1)), { recursive: true, force: true });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #path(key: string): string {
    if (!KEY.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`);
    return path.join(this.#root, key);
  }

  async #place(file: string, target: string): Promise<void> {
    const folder = path.dirname(target);
    const firstMade = await mkdir(folder, { recursive: true });
    await rename(file, target);
    await syncFolder(folder);
    // New folders are entries of their parents, which must be on disk too.
    if (firstMade === undefined) return;
    const top = path.dirname(firstMade);
    for (let made = path.dirname(folder); made.length >= top.length; made = path.dirname(made)) await syncFolder(made);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
