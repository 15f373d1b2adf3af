/**
 * Which hits may be seen: decided by the records at query time, not by the index. A hit is alive when its passage is of
 * its document's searchable revision, in the collection's live index, and the document is not deleted.
 */
import { sql, type Kysely } from 'kysely';
import type { BoundingBox } from '../../content/block.ts';
import type { Database } from '../../database/tables.ts';
import type { ChunkSource, LiveChunk } from '../../search/retrieve.ts';
import type { IndexHit } from '../../search/search-index.ts';
import type { DocumentCondition } from '../documents/repository.ts';

export interface SearchedChunk extends LiveChunk {
  id: string;
  headings: string[];
  blockIds: string[];
  boxes: { page: number; bbox: BoundingBox }[];
  revision: number;
  collectionId: string;
  documentId: string;
  documentName: string;
  language: string | null;
  metadata: Record<string, unknown>;
}

export interface LiveChunksOptions {
  workspaceId: string;
  /** Collections by id, each with the generation that is searched. */
  generations: ReadonlyMap<string, number>;
  /** The filter, when it could not be pushed into the index. */
  condition: DocumentCondition | null;
}

export class LiveChunks implements ChunkSource<SearchedChunk> {
  readonly #database: Kysely<Database>;
  readonly #options: LiveChunksOptions;

  constructor(database: Kysely<Database>, options: LiveChunksOptions) {
    this.#database = database;
    this.#options = options;
  }

  async keepLive(hits: readonly IndexHit[]): Promise<ReadonlySet<bigint>> {
    const rows = await this.#alive(hits.map((hit) => hit.chunkKey))
      .select('chunks.key')
      .execute();
    return new Set(rows.map((row) => BigInt(row.key)));
  }

  async load(chunkKeys: readonly bigint[]): Promise<SearchedChunk[]> {
    const rows = await this.#alive(chunkKeys)
      .select([
        'chunks.key',
        'chunks.id',
        'chunks.text',
        'chunks.headings',
        'chunks.block_ids',
        'chunks.boxes',
        'chunks.revision',
        'documents.key as document_key',
        'documents.id as document_id',
        'documents.name as document_name',
        'documents.collection_id',
        'documents.language',
        'documents.metadata',
      ])
      .execute();
    return rows.map((row) => ({
      chunkKey: BigInt(row.key),
      documentKey: BigInt(row.document_key),
      id: row.id,
      text: row.text,
      headings: row.headings,
      blockIds: row.block_ids,
      boxes: row.boxes,
      revision: row.revision,
      collectionId: row.collection_id,
      documentId: row.document_id,
      documentName: row.document_name,
      language: row.language,
      metadata: row.metadata,
    }));
  }

  #alive(chunkKeys: readonly bigint[]) {
    const { workspaceId, generations, condition } = this.#options;
    const keys = chunkKeys.map(String);
    let query = this.#database
      .selectFrom('chunks')
      .innerJoin('documents', (join) =>
        join
          .onRef('documents.id', '=', 'chunks.document_id')
          .onRef('documents.searchable_revision', '=', 'chunks.revision'),
      )
      .innerJoin('collections', 'collections.id', 'documents.collection_id')
      .where(sql<boolean>`chunks.key = any(${keys}::bigint[])`)
      .where('documents.workspace_id', '=', workspaceId)
      .where('documents.collection_id', '=', (eb) => eb.fn.any(eb.val([...generations.keys()])))
      .where('documents.deleted_at', 'is', null)
      .where('collections.deleted_at', 'is', null);
    const [generation, ...others] = new Set(generations.values());
    if (generation !== undefined && others.length === 0) query = query.where('chunks.generation', '=', generation);
    else
      query = query.where((eb) =>
        eb.or(
          [...generations].map(([id, each]) =>
            eb.and([eb('chunks.collection_id', '=', id), eb('chunks.generation', '=', each)]),
          ),
        ),
      );
    if (condition !== null) query = query.where((eb) => condition(eb as never));
    return query;
  }
}
