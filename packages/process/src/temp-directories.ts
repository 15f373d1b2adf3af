/** The temporary directories of one run, created on demand and removed together. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PREFIX = 'quire-run-';

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
}
