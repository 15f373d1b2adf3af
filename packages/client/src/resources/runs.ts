import type { Query, Run, RunOutput, Schemas } from '../api.ts';
import { ConnectionError, FailedError, ServerError } from '../errors.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Request, type Transport } from '../transport.ts';
import { rawBody } from '../upload/body.ts';
import { sendWithProgress } from '../upload/browser.ts';
import type { OnProgress } from '../upload/progress.ts';
import { fileSource, type FileInput, type FileSource } from '../upload/source.ts';
import { pagePicture, type PageOptions, type PageSize } from './pages.ts';

const BASE = '/v1/w/{ws}/process';
const WAIT_SECONDS = 20;

export interface CreateRunOptions extends CallOptions {
  /** Makes repeating the request safe; made by itself. */
  idempotencyKey?: string;
  /** Maximum number of seconds until the answer, 0..60. */
  wait?: number;
}

/** Processing runs. `quire.process()` does all of it in one call. */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a run of small files in one request, which starts at once. */
  async create(
    files: readonly FileInput[],
    blocks: Schemas['RunBlocks'] = {},
    options: CreateRunOptions = {},
  ): Promise<Run> {
    const sources = await Promise.all(files.map(fileSource));
    const blobs = await Promise.all(sources.map(async ({ blob, stream }) => blob ?? new Response(stream()).blob()));
    const body = (): FormData => {
      const form = new FormData();
      for (const [name, block] of Object.entries(blocks))
        form.append(name, typeof block === 'string' ? block : JSON.stringify(block));
      for (const [index, blob] of blobs.entries()) form.append('files', blob, sources[index]?.name);
      return form;
    };
    return this.#create({ body }, options);
  }

  /** Creates a run that waits for its files: `addFile` for each, in parallel, then `submit`. */
  stage(blocks: Schemas['RunBlocks'] = {}, options: CreateRunOptions = {}): Promise<Run> {
    return this.#create({ json: blocks, query: { staged: true } }, options);
  }

  /** Adds a file to a staged run. The same file again has no effect. */
  async addFile(
    id: string,
    file: FileInput | FileSource,
    options: CallOptions & { onProgress?: OnProgress } = {},
  ): Promise<Schemas['RunFile']> {
    const { onProgress, signal, timeoutMs = 0 } = options;
    const source = await fileSource(file);
    const content = { ...rawBody(source, onProgress), ...sendWithProgress(onProgress, source.sizeBytes) };
    const request = { method: 'POST', path: `${this.#of(id)}/files`, repeatable: true, ...content };
    return this.#transport.data({ ...request, signal, timeoutMs });
  }

  /** Starts a staged run. A run that was started by a request whose answer was lost is returned as it is. */
  async submit(id: string, options: Query<'submitRun'> & CallOptions = {}): Promise<Run> {
    const { wait, ...rest } = options;
    try {
      return await this.#transport.data({ method: 'POST', path: `${this.#of(id)}/submit`, query: { wait }, ...rest });
    } catch (error) {
      if (!(error instanceof ConnectionError || error instanceof ServerError)) throw error;
      const run = await this.get(id, rest);
      return run.status === 'idle'
        ? this.#transport.data({ method: 'POST', path: `${this.#of(id)}/submit`, ...rest })
        : run;
    }
  }

  list(options: Query<'listRuns'> & CallOptions = {}): Listing<Run> {
    return this.#transport.list(BASE, options);
  }

  get(id: string, options: Query<'getRun'> & CallOptions = {}): Promise<Run> {
    const { wait, ...rest } = options;
    return this.#transport.data({ path: this.#of(id), query: { wait }, ...rest });
  }

  /** Resolves with the finished run; throws a `FailedError` if nothing was produced. */
  async ready(id: string, options: CallOptions & { onChange?: (run: Run) => void } = {}): Promise<Run> {
    const { onChange, ...rest } = options;
    for (;;) {
      const run = await this.get(id, { wait: WAIT_SECONDS, ...rest });
      onChange?.(run);
      if (run.status === 'done') return run;
      if (run.status === 'failed') throw new FailedError('the run', run, run.error);
    }
  }

  cancel(id: string, options: CallOptions = {}): Promise<Run> {
    return this.#transport.data({ method: 'POST', path: `${this.#of(id)}/cancel`, ...options });
  }

  /** Erases the inputs and outputs now. */
  delete(id: string, options: CallOptions = {}): Promise<Run> {
    return this.#transport.data({ method: 'DELETE', path: this.#of(id), ...options });
  }

  /** Returns an output file as a response. */
  output(id: string, output: string | Pick<RunOutput, 'path'>, options: CallOptions = {}): Promise<Response> {
    const name = typeof output === 'string' ? output : output.path;
    const encoded = name.split('/').map(encodeURIComponent).join('/');
    return this.#transport.response({ path: `${this.#of(id)}/outputs/${encoded}`, ...options });
  }

  /** Returns the sizes of the pages of a file; `file` counts the files of the outcome from 1. */
  pages(id: string, file: number, options: CallOptions = {}): Promise<PageSize[]> {
    return this.#transport.data({ path: `${this.#of(id)}/files/${file}/pages`, ...options });
  }

  /** Returns the picture of a page of a file, until the files expire. */
  page(id: string, file: number, page: number, options: PageOptions = {}): Promise<Blob> {
    return pagePicture(this.#transport, `${this.#of(id)}/files/${file}/pages/${page}`, options);
  }

  #create(
    request: { json?: object; body?: () => BodyInit; query?: Request['query'] },
    { idempotencyKey = crypto.randomUUID(), wait, ...rest }: CreateRunOptions,
  ): Promise<Run> {
    const headers = { 'idempotency-key': idempotencyKey };
    const query = { ...request.query, wait };
    return this.#transport.data({ method: 'POST', path: BASE, repeatable: true, ...request, headers, query, ...rest });
  }

  #of(id: string): string {
    return BASE + path`/${id}`;
  }
}
