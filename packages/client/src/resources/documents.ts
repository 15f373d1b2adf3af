import type { Chunk, Document, DocumentDetail, Query, Schemas } from '../api.ts';
import { FailedError } from '../errors.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Request, type Transport } from '../transport.ts';
import { formBody, rawBody, type OnProgress } from '../upload/body.ts';
import { fileSource, type FileInput } from '../upload/source.ts';
import { upload, type ReadyOptions, type Upload } from '../upload/upload.ts';

export interface UploadOptions extends CallOptions {
  metadata?: Record<string, unknown>;
  /** Name of the document; by default that of the file. */
  name?: string;
  /**
   * When the collection holds the same content already: `allow` (default) adds it again, `skip` returns the document
   * that is there, `reject` fails with a `ConflictError`.
   */
  duplicates?: 'allow' | 'skip' | 'reject';
  onProgress?: OnProgress;
}

const WAIT_SECONDS = 20;

/** The documents of one collection. */
export class Documents {
  readonly #transport: Transport;
  readonly #base: string;

  constructor(transport: Transport, collectionId: string) {
    this.#transport = transport;
    this.#base = path`/v1/w/{ws}/col/${collectionId}/docs`;
  }

  /** Uploads a file. `await upload(file).ready()` resolves once it is searchable. */
  upload(file: FileInput, options: UploadOptions = {}): Upload {
    return this.#upload(this.#send('POST', this.#base, file, options));
  }

  /** Replaces the content of a document. The old content stays searchable until the new content is. */
  replace(id: string, file: FileInput, options: Omit<UploadOptions, 'duplicates'> = {}): Upload {
    return this.#upload(this.#send('PUT', this.#of(id), file, options));
  }

  /** Adds a text without a file. */
  uploadText(
    text: Schemas['RawUpload'],
    options: CallOptions & { duplicates?: NonNullable<UploadOptions['duplicates']> } = {},
  ): Upload {
    const { duplicates, ...rest } = options;
    const request = { method: 'POST', path: `${this.#base}/raw`, query: { duplicates }, json: text, ...rest };
    return this.#upload(this.#transport.data({ ...request, repeatable: duplicates === 'skip' }));
  }

  replaceText(id: string, text: Schemas['RawUpload'], options: CallOptions = {}): Upload {
    return this.#upload(
      this.#transport.data({ method: 'PUT', path: `${this.#of(id)}/raw`, json: text, repeatable: false, ...options }),
    );
  }

  list(options: Query<'listDocuments'> & CallOptions = {}): Listing<Document> {
    return this.#transport.list(this.#base, options);
  }

  get(id: string, options: Query<'getDocument'> & CallOptions = {}): Promise<DocumentDetail> {
    const { include, wait, ...rest } = options;
    return this.#transport.data({ path: this.#of(id), query: { include, wait }, ...rest });
  }

  /** Resolves once the document is searchable; throws a `FailedError` if its processing fails. */
  async ready(id: string, options: ReadyOptions = {}): Promise<Document> {
    const { onChange, ...rest } = options;
    for (;;) {
      const document = await this.get(id, { wait: WAIT_SECONDS, ...rest });
      onChange?.(document);
      if (document.status === 'ready') return document;
      if (document.status !== 'indexing') throw new FailedError(document.name, document, failure(document));
    }
  }

  /** Changes the name or the metadata; metadata is merged, and null removes a key. */
  update(id: string, changes: Schemas['UpdateDocumentRequest'], options: CallOptions = {}): Promise<Document> {
    return this.#transport.data({ method: 'PATCH', path: this.#of(id), json: changes, ...options });
  }

  /** Hides the document from lists and searches at once; `purge` erases it permanently. */
  delete(id: string, options: Query<'deleteDocument'> & CallOptions = {}): Promise<Document> {
    const { purge, ...rest } = options;
    return this.#transport.data({ method: 'DELETE', path: this.#of(id), query: { purge }, ...rest });
  }

  undelete(id: string, options: CallOptions = {}): Promise<Document> {
    return this.#transport.data({ method: 'PUT', path: `${this.#of(id)}/undelete`, ...options });
  }

  /** Processes a failed document again. */
  retry(id: string, options: CallOptions = {}): Upload {
    return this.#upload(this.#transport.data({ method: 'POST', path: `${this.#of(id)}/retry`, ...options }));
  }

  deleteMany(
    selection: Schemas['DeleteDocumentsRequest'],
    options: CallOptions = {},
  ): Promise<Schemas['DeletionResult']> {
    const request: Request = { method: 'POST', path: `${this.#base}/delete`, json: selection, repeatable: true };
    return this.#transport.data({ ...request, ...options });
  }

  retryMany(selection: Schemas['RetryDocumentsRequest'], options: CallOptions = {}): Promise<Schemas['RetryResult']> {
    return this.#transport.data({ method: 'POST', path: `${this.#base}/retry`, json: selection, ...options });
  }

  chunks(id: string, options: Query<'listChunks'> & CallOptions = {}): Listing<Chunk> {
    return this.#transport.list(`${this.#of(id)}/chunks`, options);
  }

  chunk(id: string, chunkId: string, options: Query<'getChunk'> & CallOptions = {}): Promise<Chunk> {
    const { include, ...rest } = options;
    return this.#transport.data({ path: `${this.#of(id)}${path`/chunks/${chunkId}`}`, query: { include }, ...rest });
  }

  /** Returns the original file as a response; read it with `.blob()`, `.arrayBuffer()` or as a stream. */
  original(id: string, options: CallOptions = {}): Promise<Response> {
    return this.#transport.response({ path: `${this.#of(id)}/original`, ...options });
  }

  async markdown(id: string, options: CallOptions = {}): Promise<string> {
    return (await this.#transport.raw<string>({ path: `${this.#of(id)}/markdown`, ...options })).body;
  }

  async html(id: string, options: CallOptions = {}): Promise<string> {
    return (await this.#transport.raw<string>({ path: `${this.#of(id)}/html`, ...options })).body;
  }

  async thumbnail(id: string, options: CallOptions = {}): Promise<Blob> {
    return (await this.#transport.response({ path: `${this.#of(id)}/thumbnail`, ...options })).blob();
  }

  /** Returns short-lived URLs of the document's files that need no key, for `<img>` and plain links. */
  links(
    id: string,
    body: Schemas['CreateDocumentLinksRequest'] = {},
    options: CallOptions = {},
  ): Promise<Schemas['DocumentLinks']> {
    const request: Request = { method: 'POST', path: `${this.#of(id)}/links`, json: body, repeatable: true };
    return this.#transport.data({ ...request, ...options });
  }

  #of(id: string): string {
    return this.#base + path`/${id}`;
  }

  async #send(method: string, base: string, input: FileInput, options: UploadOptions): Promise<Document> {
    const { metadata, name, duplicates, onProgress, signal, timeoutMs = 0 } = options;
    const found = await fileSource(input);
    const file = name === undefined ? found : { ...found, name };
    const isForm = metadata !== undefined;
    const { body, headers, once } = isForm
      ? formBody({ metadata: JSON.stringify(metadata) }, 'file', file, onProgress)
      : rawBody(file, onProgress);
    const target = `${base}/${isForm ? 'file-multipart' : 'file-binary'}`;
    // Only a repeated upload that skips duplicates cannot add the file twice.
    const repeatable = duplicates === 'skip';
    const request: Request = { method, path: target, query: { duplicates }, body, headers, once, repeatable };
    return this.#transport.data({ ...request, signal, timeoutMs });
  }

  #upload(sent: Promise<Document>): Upload {
    return upload(sent, async (document, options) =>
      document.status === 'ready' ? document : this.ready(document.id, options),
    );
  }
}

const failure = ({ status, error }: Document): Document['error'] =>
  status === 'deleted' ? { type: 'deleted', message: 'it was deleted' } : error;
