import type { Query, Run, RunOutput, Schemas } from '../api.ts';
import { ConnectionError, FailedError, ServerError } from '../errors.ts';
import type { Listing } from '../listing.ts';
import { encodePart, path, type CallOptions, type Request, type Transport } from '../transport.ts';
import { randomName } from '../random.ts';
import { rawBody } from '../upload/body.ts';
import { sendWithProgress } from '../upload/browser.ts';
import type { OnProgress } from '../upload/progress.ts';
import { fileSource, type FileInput, type FileSource } from '../upload/source.ts';
import { pagePicture, type PageOptions, type PageSize } from './pages.ts';
import { Resource } from './resource.ts';

export interface CreateRunOptions extends CallOptions {
  /** Makes repeating the request safe; made by itself. */
  idempotencyKey?: string;
  /** Maximum number of seconds until the answer, 0..60. */
  wait?: number;
}

/** Processing runs. `quire.process()` does all of it in one call. */
export class Runs extends Resource {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/process');
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
    const request = { method: 'POST', path: this.base + path`/${id}/files`, repeatable: true, ...content };
    return this.transport.data({ ...request, signal, timeoutMs });
  }

  /** Starts a staged run. A run that was started by a request whose answer was lost is returned as it is. */
  async submit(id: string, options: Query<'submitRun'> & CallOptions = {}): Promise<Run> {
    const send = (): Promise<Run> => this.call('POST', path`/${id}/submit`, options);
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ConnectionError || error instanceof ServerError)) throw error;
      const run = await this.get(id, options);
      return run.status === 'idle' ? send() : run;
    }
  }

  list(options: Query<'listRuns'> & CallOptions = {}): Listing<Run> {
    return this.records('', options);
  }

  get(id: string, options: Query<'getRun'> & CallOptions = {}): Promise<Run> {
    return this.call('GET', path`/${id}`, options);
  }

  /** Resolves with the finished run; throws a `FailedError` if nothing was produced, or if it was not submitted. */
  async ready(id: string, options: CallOptions & { onChange?: (run: Run) => void } = {}): Promise<Run> {
    const run = await this.poll<Run>(id, options, ['queued', 'running']);
    const idle = { type: 'idle', message: 'it was not submitted' };
    if (run.status !== 'done') throw new FailedError('the run', run, run.status === 'idle' ? idle : run.error);
    return run;
  }

  cancel(id: string, options: CallOptions = {}): Promise<Run> {
    return this.call('POST', path`/${id}/cancel`, options);
  }

  /** Erases the inputs and outputs now. */
  delete(id: string, options: CallOptions = {}): Promise<Run> {
    return this.call('DELETE', path`/${id}`, options);
  }

  /** Returns an output file as a response. */
  output(id: string, output: string | Pick<RunOutput, 'path'>, options: CallOptions = {}): Promise<Response> {
    const name = typeof output === 'string' ? output : output.path;
    const encoded = name.split('/').map(encodePart).join('/');
    return this.transport.response({ path: `${this.base}${path`/${id}/outputs`}/${encoded}`, ...options });
  }

  /** Returns the sizes of the pages of a file; `file` counts the files of the outcome from 1. */
  pages(id: string, file: number, options: CallOptions = {}): Promise<PageSize[]> {
    return this.call('GET', path`/${id}/files/${file}/pages`, options);
  }

  /** Returns the picture of a page of a file, until the files expire. */
  page(id: string, file: number, page: number, options: PageOptions = {}): Promise<Blob> {
    return pagePicture(this.transport, this.base + path`/${id}/files/${file}/pages/${page}`, options);
  }

  #create(
    request: { json?: object; body?: () => BodyInit; query?: Request['query'] },
    { idempotencyKey = randomName(), wait, ...rest }: CreateRunOptions,
  ): Promise<Run> {
    const headers = { 'idempotency-key': idempotencyKey };
    const query = { ...request.query, wait };
    return this.transport.data({
      method: 'POST',
      path: this.base,
      repeatable: true,
      ...request,
      headers,
      query,
      ...rest,
    });
  }
}
