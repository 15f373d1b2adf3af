/** The files that copies are kept in from one start of the process to the next: a directory with a file a table. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const SUFFIX = '.copy';

export class HotSnapshots {
  readonly #directory: string;
  readonly #maxBytes: number;

  /** @param maxBytes that all files may take. */
  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  fileOf(table: string): string {
    return path.join(this.#directory, `${table}${SUFFIX}`);
  }

  /** Call it before a file is written. */
  async prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  async remove(table: string): Promise<void> {
    await rm(this.fileOf(table), { force: true });
  }

  /** Removes what belongs to none of these tables, was never finished, or is more than there is room for, oldest first. */
  async tidy(tables: readonly string[]): Promise<void> {
    const known = new Set(tables.map((table) => `${table}${SUFFIX}`));
    const names = await readdir(this.#directory).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#directory, name);
        const found = await stat(file).catch(() => undefined);
        return { name, file, bytes: found?.size ?? 0, writtenAt: found?.mtimeMs ?? 0 };
      }),
    );
    let bytes = 0;
    for (const { name, file, ...size } of files.toSorted((a, b) => b.writtenAt - a.writtenAt)) {
      if (known.has(name)) bytes += size.bytes;
      if (!known.has(name) || bytes > this.#maxBytes) await rm(file, { force: true });
    }
  }
}
