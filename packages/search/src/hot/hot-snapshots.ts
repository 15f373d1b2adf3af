/**
 * The files that copies are kept in from one start of the process to the next: a directory with a file or two a table.
 * Decides when a copy is saved, and sees to it that what is removed is in no file.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { HotCopy } from './hot-copy.ts';
import { UNFINISHED } from './hot-snapshot.ts';

const SUFFIX = '.copy';
/** What the name of the file ends with that has the vectors, where they are kept by themselves. */
const VECTORS = '.vectors';
/** Between two times that a copy is saved: it takes its memory twice, and some 0.3 s of CPU time for 100 MB. */
const SAVE_EVERY_MS = 5 * 60_000;
/** A file that was last written to before is never finished. It takes seconds. */
const UNFINISHED_MS = 10 * 60_000;

export const vectorsFileOf = (file: string): string => `${file}${VECTORS}`;

export class HotSnapshots {
  readonly #directory: string;
  readonly #maxBytes: number;
  /** Copies are not saved again before. */
  readonly #restsUntil = new WeakMap<HotCopy, number>();
  /** The file that is being written; never rejects. */
  #saving: Promise<unknown> = Promise.resolve();

  /** @param maxBytes that all files may take. */
  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  fileOf(table: string): string {
    return path.join(this.#directory, `${table}${SUFFIX}`);
  }

  /** True once it has changed enough, and not too often: whoever is told so saves it. */
  takeTurn(copy: HotCopy): boolean {
    const now = Date.now();
    if (!copy.isWorthSaving || (this.#restsUntil.get(copy) ?? 0) > now) return false;
    this.#restsUntil.set(copy, now + SAVE_EVERY_MS);
    return true;
  }

  /** Writes the file of a copy, and removes those that are of no use. One at a time. False: as `HotCopy.save`. */
  save(copy: HotCopy, listTables: () => Promise<string[]>): Promise<boolean> {
    const saving = this.#write(copy, listTables);
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  /** Resolves when no file holds anything of the table, also none that was being written, here or by another process. */
  async remove(table: string): Promise<void> {
    await this.#saving;
    const file = path.basename(this.fileOf(table));
    for (const name of await this.#names()) {
      const isOurs = name === file || name.startsWith(`${file}.`);
      if (isOurs) await rm(path.join(this.#directory, name), { force: true });
    }
  }

  async #write(copy: HotCopy, listTables: () => Promise<string[]>): Promise<boolean> {
    await mkdir(this.#directory, { recursive: true });
    const isCurrent = await copy.save(this.fileOf(copy.table.name));
    // It may have been dropped meanwhile.
    await this.tidy(await listTables());
    return isCurrent;
  }

  /** Removes what belongs to none of these tables, was never finished, or is more than there is room for, oldest first. */
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
      // Another process may be writing it.
      if (name.endsWith(UNFINISHED) && size.writtenAt > Date.now() - UNFINISHED_MS) continue;
      if (known.has(name)) bytes += size.bytes;
      if (!known.has(name) || bytes > this.#maxBytes) await rm(file, { force: true });
    }
  }

  #names(): Promise<string[]> {
    return readdir(this.#directory).catch(() => []);
  }
}
