import type { Chunk, Document, DocumentDetail, Query, Schemas } from '../api.ts';
import { FailedError } from '../errors.ts';
import { collectable, type Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { sendFile, type Duplicates, type SendOptions } from '../upload/send-file.ts';
import { fileSource, type FileInput } from '../upload/source.ts';
import { upload, type ReadyOptions, type Upload } from '../upload/upload.ts';
import { Uploader, type ManyInput, type UploadMany, type UploadManyOptions } from '../upload/upload-many.ts';
import { pagePicture, type PageOptions, type PageSize } from './pages.ts';
import { Resource } from './resource.ts';

export interface UploadOptions extends SendOptions {
  /** Name of the document; by default that of the file. */
  name?: string;
}

/** The documents of one collection. */
export class Documents extends Resource {
  constructor(transport: Transport, collectionId: string) {
    super(transport, path`/v1/w/{ws}/col/${collectionId}/docs`);
  }

  /** Uploads a file. `await upload(file).ready()` resolves once it is searchable. */
  upload(file: FileInput, options: UploadOptions = {}): Upload {
    return this.#upload(this.#send('POST', this.base, file, options));
  }

  /**
   * Uploads many files, a few at a time. Files with the same content are sent once, and content that the collection
   * holds is not added again. Each file has one outcome; a key or collection that is refused ends the call.
   */
  uploadMany(files: Iterable<ManyInput> | AsyncIterable<ManyInput>, options: UploadManyOptions = {}): UploadMany {
    const uploader = new Uploader(this.transport, this.base, (id, rest) => this.ready(id, rest), options);
    return collectable(uploader.run(files));
  }

  /** Replaces the content of a document. The old content stays searchable until the new content is. */
  replace(id: string, file: FileInput, options: Omit<UploadOptions, 'duplicates'> = {}): Upload {
    return this.#upload(this.#send('PUT', this.base + path`/${id}`, file, options));
  }

  /** Adds a text without a file. */
  uploadText(text: Schemas['RawUpload'], options: CallOptions & { duplicates?: Duplicates } = {}): Upload {
    const repeatable = options.duplicates === 'skip';
    return this.#upload(this.call('POST', '/raw', options, { json: text, repeatable }));
  }

  replaceText(id: string, text: Schemas['RawUpload'], options: CallOptions = {}): Upload {
    return this.#upload(this.call('PUT', path`/${id}/raw`, options, { json: text, repeatable: false }));
  }

  list(options: Query<'listDocuments'> & CallOptions = {}): Listing<Document> {
    return this.records('', options);
  }

  get(id: string, options: Query<'getDocument'> & CallOptions = {}): Promise<DocumentDetail> {
    return this.call('GET', path`/${id}`, options);
  }

  /** Resolves once the document is searchable; throws a `FailedError` if its processing fails. */
  async ready(id: string, options: ReadyOptions = {}): Promise<Document> {
    const document = await this.poll<Document>(id, options, ['indexing']);
    if (document.status !== 'ready') throw new FailedError(document.name, document, failure(document));
    return document;
  }

  /** Changes the name or the metadata; metadata is merged, and null removes a key. */
  update(id: string, changes: Schemas['UpdateDocumentRequest'], options: CallOptions = {}): Promise<Document> {
    return this.call('PATCH', path`/${id}`, options, { json: changes });
  }

  /** Hides the document from lists and searches at once; `purge` erases it permanently. */
  delete(id: string, options: Query<'deleteDocument'> & CallOptions = {}): Promise<Document> {
    return this.call('DELETE', path`/${id}`, options);
  }

  undelete(id: string, options: CallOptions = {}): Promise<Document> {
    return this.call('PUT', path`/${id}/undelete`, options);
  }

  /** Processes a failed document again. */
  retry(id: string, options: CallOptions = {}): Upload {
    return this.#upload(this.call('POST', path`/${id}/retry`, options));
  }

  deleteMany(
    selection: Schemas['DeleteDocumentsRequest'],
    options: CallOptions = {},
  ): Promise<Schemas['DeletionResult']> {
    return this.call('POST', '/delete', options, { json: selection, repeatable: true });
  }

  retryMany(selection: Schemas['RetryDocumentsRequest'], options: CallOptions = {}): Promise<Schemas['RetryResult']> {
    return this.call('POST', '/retry', options, { json: selection });
  }

  chunks(id: string, options: Query<'listChunks'> & CallOptions = {}): Listing<Chunk> {
    return this.records(path`/${id}/chunks`, options);
  }

  chunk(id: string, chunkId: string, options: Query<'getChunk'> & CallOptions = {}): Promise<Chunk> {
    return this.call('GET', path`/${id}/chunks/${chunkId}`, options);
  }

  /** Returns the original file as a response; read it with `.blob()`, `.arrayBuffer()` or as a stream. */
  original(id: string, options: CallOptions = {}): Promise<Response> {
    return this.transport.response({ path: this.base + path`/${id}/original`, ...options });
  }

  markdown(id: string, options: CallOptions = {}): Promise<string> {
    return this.#text(path`/${id}/markdown`, options);
  }

  html(id: string, options: CallOptions = {}): Promise<string> {
    return this.#text(path`/${id}/html`, options);
  }

  thumbnail(id: string, options: CallOptions = {}): Promise<Blob> {
    return this.transport.blob({ path: this.base + path`/${id}/thumbnail`, ...options });
  }

  /** Returns the sizes of the pages. */
  pages(id: string, options: CallOptions = {}): Promise<PageSize[]> {
    return this.call('GET', path`/${id}/pages`, options);
  }

  /** Returns the picture of a page, with boxes marked on it or cropped to them. */
  page(id: string, page: number, options: PageOptions = {}): Promise<Blob> {
    return pagePicture(this.transport, this.base + path`/${id}/pages/${page}`, options);
  }

  /** Returns short-lived URLs of the document's files that need no key, for `<img>` and plain links. */
  links(
    id: string,
    body: Schemas['CreateDocumentLinksRequest'] = {},
    options: CallOptions = {},
  ): Promise<Schemas['DocumentLinks']> {
    return this.call('POST', path`/${id}/links`, options, { json: body, repeatable: true });
  }

  async #text(suffix: string, options: CallOptions): Promise<string> {
    return (await this.transport.raw<string>({ path: this.base + suffix, ...options })).body;
  }

  async #send(method: 'POST' | 'PUT', base: string, input: FileInput, options: UploadOptions): Promise<Document> {
    const { name, ...rest } = options;
    const source = await fileSource(input);
    return (await sendFile(this.transport, method, base, { ...source, name: name ?? source.name }, rest)).body.data;
  }

  #upload(sent: Promise<Document>): Upload {
    return upload(sent, async (document, options) =>
      document.status === 'ready' ? document : this.ready(document.id, options),
    );
  }
}

const failure = ({ status, error }: Document): Document['error'] =>
  status === 'deleted' ? { type: 'deleted', message: 'it was deleted' } : error;
