/**
 * Which hits may be seen: decided by the records at query time, not by the index. A hit is alive when its passage is of
 * its document's searchable revision, in the collection's live index, and the document is not deleted.
 */
import { expressionBuilder, sql, type Kysely, type RawBuilder } from 'kysely';
import type { BoundingBox } from '../../content/block.ts';
import type { Database } from '../../database/tables.ts';
import type { ChunkSource, LiveChunk, Look } from '../../search/retrieve.ts';
import type { IndexHit } from '../../search/search-index.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import type { LiveIndex } from '../collections/live-indexes.ts';

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

/** What was remembered of a searched collection is not so any more: it was deleted, say, or has a new index. */
export class OutdatedIndexError extends Error {
  override readonly name = 'OutdatedIndexError';
}

export interface LiveChunksOptions {
  workspaceId: string;
  searched: readonly LiveIndex[];
  /** The filter, when it could not be pushed into the index. */
  condition: DocumentCondition | null;
  /** The searched indexes were remembered: each look makes sure that they are still so. */
  remembered: boolean;
}

export class LiveChunks implements ChunkSource<SearchedChunk> {
  readonly #database: Kysely<Database>;
  readonly #options: LiveChunksOptions;

  constructor(database: Kysely<Database>, options: LiveChunksOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * One statement, for a round trip costs more than most of what it does. Throws `OutdatedIndexError`. A hit's passage
   * itself is looked up only if it is wanted: the index may hold one that an attempt at ingesting left behind.
   */
  async look(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<Look<SearchedChunk>> {
    if (hits.length === 0 && wanted.length === 0 && !this.#options.remembered) return { alive: new Set(), chunks: [] };
    const { rows } = await this.#statement(hits, wanted).execute(this.#database);
    const [summary, ...chunks] = rows;
    if (summary?.current === false) throw new OutdatedIndexError('an index that was remembered is outdated');
    const revisions = new Map<string, string>();
    for (const document of summary?.alive?.split(',') ?? []) {
      const [key = '', revision = ''] = document.split(':');
      revisions.set(key, revision);
    }
    const isAlive = (hit: IndexHit): boolean => revisions.get(String(hit.documentKey)) === String(hit.revision);
    return { alive: new Set(hits.filter(isAlive)), chunks: chunks.map(toChunk) };
  }

  /**
   * A row that sums up, then one for each passage. The steps are materialised: left to itself, and before it has
   * statistics, PostgreSQL reads all passages of the collection (9 ms of 10,000) instead of looking them up by key.
   */
  #statement(hits: readonly IndexHit[], wanted: readonly IndexHit[]): RawBuilder<ChunkRow> {
    const { workspaceId, searched, condition, remembered } = this.#options;
    const filter = condition === null ? sql`true` : condition(expressionBuilder());
    const documentKeys = new Set([...hits, ...wanted].map((hit) => String(hit.documentKey)));
    return sql<ChunkRow>`
      with searched as materialized (
        select * from unnest(${searched.map(({ collection }) => collection.id)}::uuid[],
          ${searched.map(({ index }) => index.generation)}::int[], ${searched.map(({ index }) => index.table_name)}::text[],
          ${searched.map(({ index }) => index.embedding_model)}::text[], ${searched.map(({ index }) => index.dimensions)}::int[]
        ) as s(collection_id, generation, table_name, embedding_model, dimensions)
      ), page as materialized (
        select key, id, text, headings, block_ids, boxes, revision, generation, document_id
        from chunks where key = any(${wanted.map((hit) => String(hit.chunkKey))}::bigint[])
      ), alive as materialized (
        select documents.key, documents.id, documents.name, documents.collection_id, documents.searchable_revision,
          documents.language, documents.metadata
        from documents
        where documents.key = any(${[...documentKeys]}::bigint[]) and documents.workspace_id = ${workspaceId} and documents.deleted_at is null
          and documents.collection_id in (select collection_id from searched) and ${filter}
      )
      select (select string_agg(key || ':' || searchable_revision, ',') from alive) as alive,
        ${remembered ? this.#current() : sql`true`} as current,
        null::bigint as key, null::uuid as id, null as text, null::text[] as headings, null::text[] as block_ids,
        null::jsonb as boxes, null::int as revision, null::bigint as document_key, null::uuid as document_id,
        null as document_name, null::uuid as collection_id, null as language, null::jsonb as metadata
      union all
      select null, null, page.key, page.id, page.text, page.headings, page.block_ids, page.boxes, page.revision,
        alive.key, alive.id, alive.name, alive.collection_id, alive.language, alive.metadata
      from page join alive on alive.id = page.document_id and alive.searchable_revision = page.revision
        join searched on searched.collection_id = alive.collection_id and searched.generation = page.generation`;
  }

  /** Whether every index that is searched is the live one of a collection that is there. */
  #current(): RawBuilder<boolean> {
    return sql`(select count(*) = ${this.#options.searched.length}::int from searched
      join collections on collections.id = searched.collection_id and collections.workspace_id = ${this.#options.workspaceId}
        and collections.deleted_at is null and collections.live_generation = searched.generation
      join collection_indexes as i on i.collection_id = searched.collection_id and i.generation = searched.generation
        and i.table_name = searched.table_name and i.embedding_model is not distinct from searched.embedding_model
        and i.dimensions is not distinct from searched.dimensions)`;
  }
}

interface ChunkRow {
  /** Of the first row only: `key:revision` of each living document. */
  alive: string | null;
  current: boolean | null;
  key: string;
  id: string;
  text: string;
  headings: string[];
  block_ids: string[];
  boxes: SearchedChunk['boxes'];
  revision: number;
  document_key: string;
  document_id: string;
  document_name: string;
  collection_id: string;
  language: string | null;
  metadata: Record<string, unknown>;
}

const toChunk = (row: ChunkRow): SearchedChunk => ({
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
});
