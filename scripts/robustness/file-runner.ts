/** Runs a file through the upload checks and the sandbox, as the service does, and reports the result. */
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseOptions, SourceFile } from '@quire/parse/parser';
import { createSandboxClient } from '@quire/process/tasks/create-sandbox-client';
import type { TaskPool } from '@quire/process/tasks/task-pool';
import { chunking, limits, options as defaults } from '@quire/process/tasks/testing/default-reading';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';

export interface Ending {
  file: string;
  /** `ready`, `no_text`, `archive`, or the type of the error. `!` marks results that must not occur. */
  outcome: string;
  detail: string;
  ms: number;
}

interface RunnerOptions {
  timeoutMs: number;
  ocr: ParseOptions['ocr'];
  /** Formats whose thumbnail is drawn too. */
  thumbnails?: RegExp;
}

export class FileRunner {
  readonly #sandbox: ReturnType<typeof createSandboxClient>;
  readonly #options: ParseOptions;
  readonly #thumbnails: RegExp | undefined;
  readonly #signal = new AbortController().signal;

  constructor(pool: TaskPool, { timeoutMs, ocr, thumbnails }: RunnerOptions) {
    this.#sandbox = createSandboxClient(pool, { timeoutMs });
    this.#options = { ...defaults, ocr };
    this.#thumbnails = thumbnails;
    // Every task of the run adds a listener.
    setMaxListeners(0, this.#signal);
  }

  /** Returns one result, or for an archive its own and those of its members. */
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
        await this.#sandbox.thumbnail({ ...read, tree: null, maxSide: 256 }, options);
      const { chunks } = await this.#sandbox.parseAndChunk({ ...read, chunking }, options);
      return end(chunks.length === 0 ? 'no_text' : 'ready');
    } catch (error) {
      if (error instanceof FileRefused) return end(error.type, error.message);
      if (!(error instanceof ContentError))
        return end('!', error instanceof Error ? (error.stack ?? '') : String(error));
      const cause = error.cause instanceof Error ? ` (${error.cause.stack ?? error.cause.message})` : '';
      return end(error.type, `${error.message}${cause}`);
    }
  }

  async #members(source: SourceFile, name: string): Promise<Ending[]> {
    const directory = mkdtempSync(path.join(tmpdir(), 'quire-robustness-'));
    try {
      const unpacked = await this.#sandbox.unpack({ file: source, limits, directory }, { signal: this.#signal });
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
