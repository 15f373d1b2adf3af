/** Finds the documents and collections that a caller may read; others answer like ids that do not exist. */
import type { DocumentRecord } from '../../database/tables.ts';
import type { CollectionService } from '../../domain/collections/service.ts';
import type { DocumentService } from '../../domain/documents/service.ts';
import { scopeOf } from '../../domain/keys/types.ts';
import { apiError } from '../../errors.ts';
import type { McpCaller } from './caller.ts';

export interface ReadableDocumentsDeps {
  collections: Pick<CollectionService, 'findById'>;
  documents: Pick<DocumentService, 'findById' | 'isInScope'>;
}

/** The id of a search result: the document's, and after a colon the chunk's. */
export interface ResultId {
  documentId: string;
  chunkId: string | null;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
export const RESULT_ID = new RegExp(`^${UUID}(?::${UUID})?$`, 'i');

export const resultId = (documentId: string, chunkId: string): string => `${documentId}:${chunkId}`;

export function readResultId(id: string): ResultId {
  const [documentId = '', chunkId = null] = id.toLowerCase().split(':');
  return { documentId, chunkId };
}

const unknown = (what: string) => apiError(404, 'not_found', `There is no such ${what}`);

export class ReadableDocuments {
  readonly #deps: ReadableDocumentsDeps;

  constructor(deps: ReadableDocumentsDeps) {
    this.#deps = deps;
  }

  /** Throws 404 if the document is unknown, out of the key's reach, or deleted with or without its collection. */
  async document({ workspaceId, principal }: McpCaller, documentId: string): Promise<DocumentRecord> {
    const record = await this.#deps.documents.findById(workspaceId, documentId);
    if (record === undefined || record.deleted_at !== null) throw unknown('document');
    const collectionId = record.collection_id;
    if (principal.collectionIds !== null && !principal.collectionIds.includes(collectionId)) throw unknown('document');
    const scope = scopeOf(principal);
    if (scope !== null && !(await this.#deps.documents.isInScope(record, scope))) throw unknown('document');
    const collection = await this.#deps.collections.findById(workspaceId, collectionId);
    if (collection === undefined || collection.deleted_at !== null) throw unknown('document');
    return record;
  }

  /** Throws 404 unless the caller may read the collection and it is not deleted. */
  async requireCollection({ workspaceId, principal }: McpCaller, collectionId: string): Promise<void> {
    const { collectionIds } = principal;
    const reached = collectionIds === null || collectionIds.includes(collectionId);
    const record = reached ? await this.#deps.collections.findById(workspaceId, collectionId) : undefined;
    if (record === undefined || record.deleted_at !== null) throw unknown('collection');
  }
}
