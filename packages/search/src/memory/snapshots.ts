/**
 * The directory of snapshot files, one or two per table, from which copies are restored at the next start. Decides when
 * a copy is saved, and removes files whose contents were purged.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { IndexTable } from '../search-index.ts';
import { UNFINISHED } from './snapshot-file.ts';

const SUFFIX = '.copy';
/** Suffix of the separate file with the vectors of a split table. */
const VECTORS = '.vectors';
/** Minimum interval between two saves of a copy: a save doubles its memory and takes 0.3 s of CPU time per 100 MB. */
const SAVE_EVERY_MS = 5 * 60_000;
/** Age at which an unfinished file is abandoned; writing one takes seconds. */
const UNFINISHED_MS = 10 * 60_000;

/** A table that can be saved. */
export interface Savable {
  readonly table: IndexTable;
  /** True when enough rows have changed since the last snapshot. */
  readonly isWorthSaving: boolean;
  /** Resolves to false when the table must be loaded again instead. */
  save(file: string): Promise<boolean>;
}

export const vectorsFileOf = (file: string): string => `${file}${VECTORS}`;

export class Snapshots {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #hasRoom: () => Promise<boolean>;
  /** Earliest time of the next save, by copy. */
  readonly #restsUntil = new WeakMap<Savable, number>();
  /** The write in progress; never rejects. */
  #saving: Promise<unknown> = Promise.resolve();

  /**
   * @param maxBytes maximum size of all files together.
   * @param hasRoom whether the disk has space for another file; without it a copy is not saved. Default: always.
   */
  constructor(directory: string, maxBytes: number, hasRoom: () => Promise<boolean> = async () => true) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#hasRoom = hasRoom;
  }

  fileOf(table: string): string {
    return path.join(this.#directory, `${table}${SUFFIX}`);
  }

  /** Returns true if the copy has changed enough and the interval has passed; the caller must then save it. */
  takeTurn(copy: Savable): boolean {
    const now = Date.now();
    if (!copy.isWorthSaving || (this.#restsUntil.get(copy) ?? 0) > now) return false;
    this.#restsUntil.set(copy, now + SAVE_EVERY_MS);
    return true;
  }

  /** Writes the file of a copy and removes obsolete files. Resolves to false as `Savable.save` does. */
  save(copy: Savable, listTables: () => Promise<string[]>): Promise<boolean> {
    const saving = this.#write(copy, listTables);
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  /** Returns the names of the tables that have a file. */
  async tables(): Promise<string[]> {
    return (await this.#names()).flatMap((name) => (name.endsWith(SUFFIX) ? [name.slice(0, -SUFFIX.length)] : []));
  }

  /** Removes all files of the table, including those that this or another process is writing. */
  async remove(table: string): Promise<void> {
    await this.#saving;
    const file = path.basename(this.fileOf(table));
    for (const name of await this.#names()) {
      const belongsToTable = name === file || name.startsWith(`${file}.`);
      if (belongsToTable) await rm(path.join(this.#directory, name), { force: true });
    }
  }

  async #write(copy: Savable, listTables: () => Promise<string[]>): Promise<boolean> {
    await mkdir(this.#directory, { recursive: true });
    if (!(await this.#hasRoom())) return true;
    const isCurrent = await copy.save(this.fileOf(copy.table.name));
    // The table may have been dropped meanwhile.
    await this.tidy(await listTables());
    return isCurrent;
  }

  /** Removes the files of other tables, abandoned files, and the oldest files above the size limit. */
  async tidy(tables: readonly string[]): Promise<void> {
    const known = new Set(tables.flatMap((table) => [`${table}${SUFFIX}`, vectorsFileOf(`${table}${SUFFIX}`)]));
    const names = await this.#names();
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#directory, name);
        const found = await stat(file).catch(() => undefined);
        return { name, file, bytes: found?.size ?? 0, writtenAt: found?.mtimeMs ?? 0 };
      }),
    );
    let bytes = 0;
    for (const { name, file, ...size } of files.toSorted((a, b) => b.writtenAt - a.writtenAt)) {
      // Another process may be writing this file.
      if (name.endsWith(UNFINISHED) && size.writtenAt > Date.now() - UNFINISHED_MS) continue;
      if (known.has(name)) bytes += size.bytes;
      if (!known.has(name) || bytes > this.#maxBytes) await rm(file, { force: true });
    }
  }

  #names(): Promise<string[]> {
    return readdir(this.#directory).catch(() => []);
  }
}
