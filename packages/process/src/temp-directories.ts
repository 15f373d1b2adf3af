/** The temporary directories of one run, created on demand and removed together. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PREFIX = 'quire-run-';
/** Age in ms after which a directory counts as abandoned by a killed process; no run takes that long. */
const ABANDONED_MS = 24 * 3_600_000;

export class TempDirectories {
  #root: Promise<string> | undefined;

  /** Creates a new, empty directory. */
  async make(purpose: string): Promise<string> {
    this.#root ??= mkdtemp(path.join(tmpdir(), PREFIX));
    return mkdtemp(path.join(await this.#root, `${purpose}-`));
  }

  async remove(): Promise<void> {
    if (this.#root !== undefined) await rm(await this.#root, { recursive: true, force: true });
  }

  static async removeAbandoned(nowMs: number): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (!name.startsWith(PREFIX)) continue;
      const directory = path.join(tmpdir(), name);
      const found = await stat(directory).catch(() => undefined);
      if (found !== undefined && nowMs - found.mtimeMs > ABANDONED_MS)
        await rm(directory, { recursive: true, force: true });
    }
  }
}
