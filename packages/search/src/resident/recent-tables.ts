/** The file that names the tables of a process, so that the next start loads them before they are searched. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { IndexTable } from '../search-index.ts';

export interface RecentTable extends IndexTable {
  /** Memory that the table took. */
  bytes: number;
}

export class RecentTables {
  readonly #file: string;
  #written = '';

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the tables, the most recently searched first; none when the file is missing or damaged. */
  async read(): Promise<RecentTable[]> {
    try {
      const tables: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      return Array.isArray(tables) ? tables.filter(isRecentTable) : [];
    } catch {
      return [];
    }
  }

  /** Replaces the file if the list has changed. */
  async write(tables: readonly RecentTable[]): Promise<void> {
    const text = JSON.stringify(tables.map(({ name, dimensions, bytes }) => ({ name, dimensions, bytes })));
    if (text === this.#written) return;
    const started = `${this.#file}.${randomUUID()}`;
    await mkdir(path.dirname(this.#file), { recursive: true });
    try {
      await writeFile(started, text, { mode: 0o600 });
      await rename(started, this.#file);
      this.#written = text;
    } finally {
      await rm(started, { force: true });
    }
  }
}

function isRecentTable(value: unknown): value is RecentTable {
  const { name, dimensions, bytes } = (value ?? {}) as Partial<RecentTable>;
  const isNumber = typeof dimensions === 'number' || dimensions === null;
  return typeof name === 'string' && isNumber && typeof bytes === 'number';
}
