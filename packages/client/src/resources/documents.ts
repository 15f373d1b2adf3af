import type { Chunk, Document, DocumentDetail, Query, Schemas } from '../api.ts';
import { FailedError } from '../errors.ts';
import { collectable, type Listing } from '../listing.ts';
import { path, type CallOptions, type Request, type Transport } from '../transport.ts';
import { sendFile, type Duplicates, type SendOptions } from '../upload/send-file.ts';
import { fileSource, type FileInput } from '../upload/source.ts';
import { pagePicture, type PageOptions, type PageSize } from './pages.ts';
import { upload, type ReadyOptions, type Upload } from '../upload/upload.ts';
import { Uploader, type ManyInput, type UploadMany, type UploadManyOptions } from '../upload/upload-many.ts';

export interface UploadOptions extends SendOptions {
  /** Name of the document; by default that of the file. */
  name?: string;
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

  /**
   * Uploads many files, a few at a time. Files with the same content are sent once, and content that the collection
   * holds is not added again. Each file has one outcome; a key or collection that is refused ends the call.
   */
  uploadMany(files: Iterable<ManyInput> | AsyncIterable<ManyInput>, options: UploadManyOptions = {}): UploadMany {
    const uploader = new Uploader(this.#transport, this.#base, (id, rest) => this.ready(id, rest), options);
    return collectable(uploader.run(files));
  }

  /** Replaces the content of a document. The old content stays searchable until the new content is. */
  replace(id: string, file: FileInput, options: Omit<UploadOptions, 'duplicates'> = {}): Upload {
    return this.#upload(this.#send('PUT', this.#of(id), file, options));
  }

  /** Adds a text without a file. */
  uploadText(text: Schemas['RawUpload'], options: CallOptions & { duplicates?: Duplicates } = {}): Upload {
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

  thumbnail(id: string, options: CallOptions = {}): Promise<Blob> {
    return this.#transport.blob({ path: `${this.#of(id)}/thumbnail`, ...options });
  }

  /** Returns the sizes of the pages. */
  pages(id: string, options: CallOptions = {}): Promise<PageSize[]> {
    return this.#transport.data({ path: `${this.#of(id)}/pages`, ...options });
  }

  /** Returns the picture of a page, with boxes marked on it or cropped to them. */
  page(id: string, page: number, options: PageOptions = {}): Promise<Blob> {
    return pagePicture(this.#transport, `${this.#of(id)}/pages/${page}`, options);
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

  async #send(method: 'POST' | 'PUT', base: string, input: FileInput, options: UploadOptions): Promise<Document> {
    const { name, ...rest } = options;
    const source = await fileSource(input);
    return (await sendFile(this.#transport, method, base, { ...source, name: name ?? source.name }, rest)).body.data;
  }

  #upload(sent: Promise<Document>): Upload {
    return upload(sent, async (document, options) =>
      document.status === 'ready' ? document : this.ready(document.id, options),
    );
  }
}

const failure = ({ status, error }: Document): Document['error'] =>
  status === 'deleted' ? { type: 'deleted', message: 'it was deleted' } : error;
