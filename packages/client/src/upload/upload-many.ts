import type { Document } from '../api.ts';
import { AuthenticationError, FailedError, NotFoundError, PermissionError } from '../errors.ts';
import type { Collectable } from '../listing.ts';
import type { Transport } from '../transport.ts';
import { limiter, pool } from './pool.ts';
import { sendFile, type SendOptions } from './send-file.ts';
import { sha256 } from './sha256.ts';
import { fileSource, inputName, type FileInput } from './source.ts';
import type { ReadyOptions } from './upload.ts';

/** A file, or a file with a name and metadata of its own. */
export type ManyInput = FileInput | { file: FileInput; name?: string; metadata?: Record<string, unknown> };

export interface UploadManyOptions extends Omit<SendOptions, 'onProgress'> {
  /** Number of files that are sent at the same time; 4 by default. */
  parallel?: number;
  /** Also waits until each document is ready or has failed. */
  ready?: boolean;
  /** Called as bytes are sent and outcomes arrive. */
  onProgress?: (progress: { sentBytes: number; files: number }) => void;
}

/** The outcome of one file; `sha256` is undefined for streams, which are read once. */
export type UploadOutcome = { input: ManyInput; name: string; sha256: string | undefined } & (
  | { status: 'uploaded'; document: Document }
  /** The collection, or another file of this call, has the same content. */
  | { status: 'duplicate'; document: Document }
  /** `document` is there if the file was accepted and its processing failed. */
  | { status: 'failed'; error: Error; document?: Document }
);

/** The outcomes of many uploads in the order of their arrival. Iterate them, or take `all()`. */
export type UploadMany = Collectable<UploadOutcome>;

/** Number of documents per upload whose processing may be awaited at the same time. */
const AWAITED_PER_UPLOAD = 8;

export class Uploader {
  readonly #transport: Transport;
  readonly #base: string;
  readonly #whenReady: (id: string, options: ReadyOptions) => Promise<Document>;
  readonly #options: UploadManyOptions;
  readonly #inSlot: ReturnType<typeof limiter>;
  readonly #sentByHash = new Map<string, Promise<Document>>();
  #sentBytes = 0;
  #files = 0;

  constructor(
    transport: Transport,
    base: string,
    whenReady: (id: string, options: ReadyOptions) => Promise<Document>,
    options: UploadManyOptions,
  ) {
    this.#transport = transport;
    this.#base = base;
    this.#whenReady = whenReady;
    this.#options = options;
    this.#inSlot = limiter(options.parallel ?? 4);
  }

  async *run(inputs: Iterable<ManyInput> | AsyncIterable<ManyInput>): AsyncGenerator<UploadOutcome, void, undefined> {
    const { parallel = 4, ready = false } = this.#options;
    for await (const outcome of pool(inputs, ready ? parallel * AWAITED_PER_UPLOAD : parallel, (each) =>
      this.#one(each),
    )) {
      this.#files += 1;
      this.#report();
      yield outcome;
    }
  }

  async #one(input: ManyInput): Promise<UploadOutcome> {
    const own = typeof input === 'object' && 'file' in input ? input : { file: input };
    const found = { input, name: own.name ?? inputName(own.file), sha256: undefined as string | undefined };
    try {
      const source = { ...(await fileSource(own.file)), name: found.name };
      const { duplicates = 'skip', metadata, signal, timeoutMs } = this.#options;
      if (duplicates === 'skip') found.sha256 = await this.#inSlot(() => sha256(source));
      const first = await this.#sentBefore(found.sha256);
      if (first !== undefined) return await this.#settled({ ...found, status: 'duplicate', document: first });
      const options: SendOptions = { duplicates, signal, timeoutMs, onProgress: this.#counter() };
      if (metadata !== undefined || own.metadata !== undefined) options.metadata = { ...metadata, ...own.metadata };
      const sent = this.#inSlot(() => sendFile(this.#transport, 'POST', this.#base, source, options));
      if (found.sha256 !== undefined)
        this.#remember(
          found.sha256,
          sent.then(({ body }) => body.data),
        );
      const { status, body } = await sent;
      return await this.#settled({ ...found, status: status === 200 ? 'duplicate' : 'uploaded', document: body.data });
    } catch (error) {
      if (this.#concernsAll(error)) throw error;
      const document = error instanceof FailedError ? { document: error.record as Document } : {};
      return { ...found, status: 'failed', error: error as Error, ...document };
    }
  }

  /** Returns the document of an earlier file of this call with the same content, unless its upload failed. */
  async #sentBefore(hash: string | undefined): Promise<Document | undefined> {
    return this.#sentByHash.get(hash ?? '')?.catch(() => undefined);
  }

  #remember(hash: string, sent: Promise<Document>): void {
    this.#sentByHash.set(hash, sent);
    // Reported as the outcome of the file that was sent.
    sent.catch(() => undefined);
  }

  async #settled<O extends UploadOutcome & { document: Document }>(outcome: O): Promise<O> {
    const { ready = false, signal, timeoutMs } = this.#options;
    if (!ready) return outcome;
    return { ...outcome, document: await this.#whenReady(outcome.document.id, { signal, timeoutMs }) };
  }

  /** Whether no other file can succeed either: the call was aborted, or the key or the collection is wrong. */
  #concernsAll(error: unknown): boolean {
    const families = [AuthenticationError, PermissionError, NotFoundError];
    return this.#options.signal?.aborted === true || families.some((family) => error instanceof family);
  }

  #counter(): NonNullable<SendOptions['onProgress']> {
    let before = 0;
    return ({ sentBytes }) => {
      // A repeated attempt begins again at 0.
      this.#sentBytes += sentBytes - before;
      before = sentBytes;
      this.#report();
    };
  }

  #report(): void {
    this.#options.onProgress?.({ sentBytes: this.#sentBytes, files: this.#files });
  }
}
