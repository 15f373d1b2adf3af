/** Runs a file through the checks of an upload and the sandbox, as the service does, and says how it ended. */
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, ContentError } from '../../packages/server/src/errors.ts';
import type { ParseOptions, SourceFile } from '../../packages/server/src/pipeline/parse/parser.ts';
import { createPreparer } from '../../packages/server/src/pipeline/sandbox/preparer.ts';
import type { SandboxPool } from '../../packages/server/src/pipeline/sandbox/pool.ts';
import {
  chunking,
  limits,
  options as defaults,
} from '../../packages/server/src/pipeline/sandbox/testing/default-reading.ts';
import { inspectUpload } from '../../packages/server/src/pipeline/validate/inspect-upload.ts';

export interface Ending {
  file: string;
  /** `ready`, `no_text`, `archive`, or the type of the error. `!` marks what must not happen. */
  outcome: string;
  detail: string;
  ms: number;
}

interface RunnerOptions {
  timeoutMs: number;
  ocr: ParseOptions['ocr'];
  /** Of these formats the thumbnail is drawn too. */
  thumbnails?: RegExp;
}

export class FileRunner {
  readonly #preparer: ReturnType<typeof createPreparer>;
  readonly #options: ParseOptions;
  readonly #thumbnails: RegExp | undefined;
  readonly #signal = new AbortController().signal;

  constructor(pool: SandboxPool, { timeoutMs, ocr, thumbnails }: RunnerOptions) {
    this.#preparer = createPreparer(pool, { timeoutMs });
    this.#options = { ...defaults, ocr };
    this.#thumbnails = thumbnails;
    // Every task of the run listens to it.
    setMaxListeners(0, this.#signal);
  }

  /** One ending, or for an archive its own and those of its members. */
  async run(file: string, name: string): Promise<Ending[]> {
    const startedAt = performance.now();
    const end = (outcome: string, detail = ''): Ending[] => [
      { file: name, outcome, detail, ms: performance.now() - startedAt },
    ];
    try {
      const { isArchive, format, contentType } = await inspectUpload(file, name, null, limits);
      const source: SourceFile = {
        path: file,
        name: path.basename(name),
        sizeBytes: statSync(file).size,
        format,
        contentType,
      };
      if (isArchive) return [...end('archive'), ...(await this.#members(source, name))];
      const [read, options] = [{ file: source, options: this.#options, limits }, { signal: this.#signal }];
      if (this.#thumbnails?.test(format) === true)
        await this.#preparer.thumbnail({ ...read, tree: null, maxSide: 256 }, options);
      const { chunks } = await this.#preparer.prepare({ ...read, chunking }, options);
      return end(chunks.length === 0 ? 'no_text' : 'ready');
    } catch (error) {
      if (error instanceof ApiError) return end(error.details[0]?.type ?? '', error.message);
      if (!(error instanceof ContentError))
        return end('!', error instanceof Error ? (error.stack ?? '') : String(error));
      const cause = error.cause instanceof Error ? ` (${error.cause.stack ?? error.cause.message})` : '';
      return end(error.type, `${error.message}${cause}`);
    }
  }

  async #members(source: SourceFile, name: string): Promise<Ending[]> {
    const directory = mkdtempSync(path.join(tmpdir(), 'quire-robustness-'));
    try {
      const unpacked = await this.#preparer.unpack({ file: source, limits, directory }, { signal: this.#signal });
      const endings = unpacked.map(async (member): Promise<Ending[]> => {
        const memberName = `${name} › ${member.archivePath}`;
        if (member.path !== null) return this.run(member.path, memberName);
        const { type = '', message = '' } = member.failure ?? {};
        return [{ file: memberName, outcome: type, detail: message, ms: 0 }];
      });
      return (await Promise.all(endings)).flat();
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      return [{ file: `${name} › members`, outcome: error.type, detail: error.message, ms: 0 }];
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
}
