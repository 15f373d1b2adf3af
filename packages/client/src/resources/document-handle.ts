import type { Document, DocumentDetail, Query, Schemas } from '../api.ts';
import { NotFoundError, QuireError } from '../errors.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { ReadyOptions } from '../upload/upload.ts';
import { Collections } from './collections.ts';
import { Documents } from './documents.ts';
import type { PageBox, PageOptions, PageSize, PictureOptions } from './pages.ts';

/** The id of a document, or something that contains it: a search hit, a citation, or a record. */
export type DocumentReference =
  | string
  | { documentId: string; collectionId?: string | null | undefined }
  | { id: string; collectionId?: string | null | undefined };

/** One document. If only its id is given, the collection is looked up once. Making one sends no request. */
export class DocumentHandle {
  readonly id: string;
  readonly #transport: Transport;
  #documents: Promise<Documents> | undefined;

  constructor(transport: Transport, reference: DocumentReference) {
    this.#transport = transport;
    if (typeof reference === 'string') {
      this.id = reference;
      return;
    }
    this.id = 'documentId' in reference ? reference.documentId : reference.id;
    const { collectionId } = reference;
    if (typeof collectionId === 'string') this.#documents = Promise.resolve(new Documents(transport, collectionId));
  }

  async get(options: Query<'getDocument'> & CallOptions = {}): Promise<DocumentDetail> {
    return (await this.#in()).get(this.id, options);
  }

  /** Resolves once the document is searchable; throws a `FailedError` if its processing fails. */
  async ready(options: ReadyOptions = {}): Promise<Document> {
    return (await this.#in()).ready(this.id, options);
  }

  async update(changes: Schemas['UpdateDocumentRequest'], options: CallOptions = {}): Promise<Document> {
    return (await this.#in()).update(this.id, changes, options);
  }

  async delete(options: Query<'deleteDocument'> & CallOptions = {}): Promise<Document> {
    return (await this.#in()).delete(this.id, options);
  }

  async original(options: CallOptions = {}): Promise<Response> {
    return (await this.#in()).original(this.id, options);
  }

  async markdown(options: CallOptions = {}): Promise<string> {
    return (await this.#in()).markdown(this.id, options);
  }

  async pages(options: CallOptions = {}): Promise<PageSize[]> {
    return (await this.#in()).pages(this.id, options);
  }

  async page(page: number, options: PageOptions = {}): Promise<Blob> {
    return (await this.#in()).page(this.id, page, options);
  }

  /** Returns the evidence as a picture: the page of a citation or a hit with its lines marked, or cropped to them. */
  async picture(evidence: { boxes: readonly PageBox[] }, options: PictureOptions = {}): Promise<Blob> {
    const { page = evidence.boxes[0]?.page, crop = false, ...rest } = options;
    const box = evidence.boxes.filter((each) => each.page === page).map(({ bbox }) => bbox);
    if (page === undefined || box.length === 0)
      throw new QuireError('the evidence is on no page', { type: 'no_picture' });
    return this.page(page, { box, mark: !crop, ...rest });
  }

  #in(): Promise<Documents> {
    const found = (this.#documents ??= this.#find());
    found.catch(() => (this.#documents = undefined));
    return found;
  }

  /** Looks into one collection after the other, as documents are addressed by their collection. */
  async #find(): Promise<Documents> {
    for await (const { id } of new Collections(this.#transport).list({ limit: 100 })) {
      const documents = new Documents(this.#transport, id);
      try {
        await documents.get(this.id);
        return documents;
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    throw new NotFoundError(`no collection holds the document ${this.id}`, { status: 404, type: 'not_found' });
  }
}
