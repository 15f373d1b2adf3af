/**
 * Objects as files of one directory tree. A write goes to a temporary file of the same file system, which is synced,
 * renamed into place, and made to last by syncing the folders whose entries changed. Objects and temporary files are
 * apart (`objects/`, `temporary/`), so neither can be mistaken for the other.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '@quire/shared/error-code';
import { BatchedCalls } from '../shared/batched-calls.ts';
import {
  entriesOf,
  ignoreAbsent,
  isAbsent,
  statFile,
  sync,
  syncIfPresent,
  writeBuffer,
  writeStream,
} from './durable-files.ts';
import { checkKey, checkPrefix } from './keys.ts';
import type { ListedObject, ObjectStat, ObjectStore } from './object-store.ts';

/** Age from which a temporary file belongs to a dead write, in ms; the upload deadline is much shorter. */
const ABANDONED_AGE_MS = 3_600_000;
/** Maximum number of folders remembered as durable. */
const MAX_REMEMBERED_FOLDERS = 10_000;
const MAX_FOLDERS_PER_SYNC = 256;

/** Maximum number of tries to move a file into a folder that concurrent deletes keep removing. */
const MAX_PUBLISH_ATTEMPTS = 20;
const REMOVED_FOLDER_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST']);

export class FilesystemStore implements ObjectStore {
  readonly #objects: string;
  readonly #temporary: string;
  /** Folders whose entry in the parent folder is synced. */
  readonly #durable = new Set<string>();
  /** Syncs folders. Writes that arrive during a sync share the next one. */
  readonly #syncs = new BatchedCalls<string, true>({
    maxBatchSize: MAX_FOLDERS_PER_SYNC,
    runBatch: async (folders) => {
      await Promise.all([...new Set(folders)].map(syncIfPresent));
      return folders.map(() => true);
    },
    runSingle: async (folder) => {
      await syncIfPresent(folder);
      return true;
    },
    // Each folder is then synced separately, and its caller gets the error.
    onBatchFailed: () => undefined,
  });

  private constructor(directory: string) {
    this.#objects = path.join(directory, 'objects');
    this.#temporary = path.join(directory, 'temporary');
  }

  /** Creates the directory if it is missing, and removes temporary files that dead processes have left. */
  static async open(directory: string, nowMs: number = Date.now()): Promise<FilesystemStore> {
    const store = new FilesystemStore(path.resolve(directory));
    for (const folder of [store.#objects, store.#temporary]) await mkdir(folder, { recursive: true });
    for (const name of await readdir(store.#temporary)) {
      const file = path.join(store.#temporary, name);
      const found = await stat(file).catch(() => undefined);
      if (found !== undefined && nowMs - found.mtimeMs > ABANDONED_AGE_MS)
        await rm(file, { recursive: true, force: true });
    }
    return store;
  }

  async put(key: string, body: Readable | Buffer, signal?: AbortSignal): Promise<ObjectStat> {
    const target = this.#path(key);
    const temporary = this.#newTemporary();
    signal?.throwIfAborted();
    try {
      const stored = await (Buffer.isBuffer(body)
        ? writeBuffer(temporary, body)
        : writeStream(temporary, body, signal));
      await this.#publish(temporary, target);
      return stored;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async putFile(key: string, source: string, signal?: AbortSignal): Promise<ObjectStat> {
    const target = this.#path(key);
    signal?.throwIfAborted();
    const stored = await sync(source);
    try {
      await this.#publish(source, target);
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      await this.#copyIn(source, target);
      await rm(source);
    }
    return stored;
  }

  async get(key: string, range?: readonly [number, number], signal?: AbortSignal): Promise<Readable | undefined> {
    const file = this.#path(key);
    signal?.throwIfAborted();
    try {
      // Opened before it is returned, so that a delete or replacement in between does not matter.
      const handle = await open(file, constants.O_RDONLY);
      if (!(await handle.stat()).isFile()) {
        await handle.close();
        return undefined;
      }
      const [start, end] = range ?? [0, Number.POSITIVE_INFINITY];
      return handle.createReadStream({ start, end, signal });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  stat(key: string): Promise<ObjectStat | undefined> {
    return statFile(this.#path(key));
  }

  /** The object's own file: it must not be written to. */
  async checkout(
    key: string,
    signal?: AbortSignal,
  ): Promise<{ path: string; release: () => Promise<void> } | undefined> {
    const file = this.#path(key);
    signal?.throwIfAborted();
    return (await statFile(file)) === undefined ? undefined : { path: file, release: async () => undefined };
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    const folders = [checkPrefix(prefix)];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      signal?.throwIfAborted();
      for (const entry of await entriesOf(path.join(this.#objects, folder))) {
        const key = `${folder}${entry.name}`;
        if (entry.isDirectory()) {
          folders.push(`${key}/`);
          continue;
        }
        // Undefined if it was deleted since the folder was read.
        const found = await stat(this.#path(key)).catch(ignoreAbsent);
        if (found !== undefined) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
      }
    }
  }

  async delete(key: string): Promise<void> {
    const file = this.#path(key);
    try {
      await rm(file);
    } catch (error) {
      if (isAbsent(error)) return;
      throw error;
    }
    await this.#pruneFolders(path.dirname(file));
  }

  async deletePrefix(prefix: string): Promise<void> {
    const folder = path.join(this.#objects, checkPrefix(prefix));
    this.#forget(folder);
    // The folder is moved away first: a concurrent write could add a file to a folder that was just emptied
    // (`ENOTEMPTY`).
    const removed = this.#newTemporary();
    try {
      await rename(folder, removed);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      return;
    }
    await rm(removed, { recursive: true, force: true });
    await this.#pruneFolders(path.dirname(folder));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #path(key: string): string {
    return path.join(this.#objects, checkKey(key));
  }

  #newTemporary(): string {
    return path.join(this.#temporary, randomUUID());
  }

  async #copyIn(source: string, target: string): Promise<void> {
    const temporary = this.#newTemporary();
    try {
      await copyFile(source, temporary, constants.COPYFILE_FICLONE);
      await sync(temporary);
      await this.#publish(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /**
   * Renames a synced file into place. Creates the folder again if a concurrent delete removed it: before the rename
   * (`ENOENT`) or while its parents were being created, which Node may report as `ENOTDIR` or `EEXIST`.
   */
  async #publish(source: string, target: string): Promise<void> {
    const folder = path.dirname(target);
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) this.#forgetAbove(folder);
      try {
        if (!this.#durable.has(folder)) await mkdir(folder, { recursive: true });
        await rename(source, target);
        await this.#syncFolders(folder);
        return;
      } catch (error) {
        if (!REMOVED_FOLDER_CODES.has(errorCode(error) ?? '') || attempt === MAX_PUBLISH_ATTEMPTS) throw error;
        if ((await statFile(source)) === undefined) throw error;
      }
    }
  }

  /**
   * Syncs the object's folder and every parent folder whose own entry may not be durable yet, because this or another
   * write has just created it. Remembering durable folders saves three of five syncs for a new document.
   */
  async #syncFolders(folder: string): Promise<void> {
    const changed = [folder];
    for (let last = folder; last !== this.#objects && !this.#durable.has(last); changed.push(last)) {
      last = path.dirname(last);
    }
    // Concurrent, so that one commit of the file system's journal covers all of them.
    await Promise.all(changed.map((each) => this.#syncs.call(each)));
    if (this.#durable.size > MAX_REMEMBERED_FOLDERS) this.#durable.clear();
    for (const each of changed.slice(0, -1)) this.#durable.add(each);
  }

  /** Forgets durable folders that another process has removed. */
  #forgetAbove(folder: string): void {
    for (let current = folder; current !== this.#objects; current = path.dirname(current))
      this.#durable.delete(current);
  }

  #forget(folder: string): void {
    for (const each of this.#durable) {
      if (each === folder || each.startsWith(folder + path.sep)) this.#durable.delete(each);
    }
  }

  /** Removes the folder and its parents as long as they are empty. */
  async #pruneFolders(folder: string): Promise<void> {
    for (let current = folder; current.startsWith(this.#objects + path.sep); current = path.dirname(current)) {
      this.#durable.delete(current);
      try {
        await rmdir(current);
      } catch (error) {
        if (!isAbsent(error)) return;
      }
    }
  }
}
