/** The directories that one run works in, made when the first is asked for and removed together. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PREFIX = 'quire-run-';
/** No run takes as long: what is older was left by a process that was killed. */
const ABANDONED_MS = 24 * 3_600_000;

export class TempDirectories {
  #root: Promise<string> | undefined;

  /** A new, empty one. */
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
