/**
 * Which hits may be seen: decided by the records at query time, not by the index. A hit is alive when its passage is of
 * its document's searchable revision, in the collection's live index, and the document is not deleted.
 */
import { CompiledQuery, expressionBuilder, sql, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type { BoundingBox } from '@quire/blocks/block';
import type { Database } from '../../database/tables.ts';
import type { ChunkSource, Lookup, VisibleChunk } from '@quire/search/record-lookups';
import type { IndexHit } from '@quire/search/search-index';
import type { DocumentCondition } from '../documents/repository.ts';
import type { LiveIndex } from '../collections/live-indexes.ts';

export interface SearchedChunk extends VisibleChunk {
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
  async lookUp(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<Lookup<SearchedChunk>> {
    if (hits.length === 0 && wanted.length === 0 && !this.#options.remembered)
      return { visible: new Set(), chunks: [] };
    const { rows } = await this.#ask(hits, wanted);
    const [summary, ...chunks] = rows;
    if (summary?.current === false) throw new OutdatedIndexError('an index that was remembered is outdated');
    const living = new Set(summary?.alive?.split(','));
    const generations = new Map(this.#options.searched.map(({ index }) => [index.collection_id, index.generation]));
    const isShown = (row: ChunkRow): boolean =>
      living.has(`${row.document_key}:${row.revision}`) && generations.get(row.collection_id) === row.generation;
    const visible = new Set(hits.filter((hit) => living.has(`${hit.documentKey}:${hit.revision}`)));
    return { visible, chunks: chunks.filter(isShown).map(toChunk) };
  }

  #ask(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<QueryResult<ChunkRow>> {
    const { workspaceId, searched, condition, remembered } = this.#options;
    const values: LookValues = {
      workspaceId,
      documentKeys: keyList(new Set([...hits, ...wanted].map((hit) => hit.documentKey))),
      chunkKeys: keyList(wanted.map((hit) => hit.chunkKey)),
      count: searched.length,
      collectionIds: searched.map(({ collection }) => collection.id),
      generations: searched.map(({ index }) => index.generation),
      tables: searched.map(({ index }) => index.table_name),
      models: searched.map(({ index }) => index.embedding_model),
      dimensions: searched.map(({ index }) => index.dimensions),
    };
    if (condition !== null) return lookStatement(values, remembered, condition).execute(this.#database);
    const known = remembered
      ? (checked ??= compiled(this.#database, true))
      : (plain ??= compiled(this.#database, false));
    const parameters = known.order.map((name) => values[name]);
    return this.#database.executeQuery<ChunkRow>(CompiledQuery.raw(known.text, parameters));
  }
}

/** What the statement is asked with; lists that the driver would be slow to write as PostgreSQL writes them. */
interface LookValues {
  workspaceId: string;
  documentKeys: string;
  chunkKeys: string;
  /** Of the searched collections; the lists after it have a value for each. */
  count: number;
  collectionIds: readonly string[];
  generations: readonly number[];
  tables: readonly string[];
  models: readonly (string | null)[];
  dimensions: readonly (number | null)[];
}

/**
 * A row that sums up, then one for each passage. `offset 0` keeps the steps apart: left to itself, and before it has
 * statistics, PostgreSQL reads all passages of the collection (9 ms of 10,000) instead of looking them up by key. Lists
 * come as JSON, which the driver reads faster than arrays.
 */
function lookStatement(
  values: { [Name in keyof LookValues]: unknown },
  remembered: boolean,
  condition: DocumentCondition | null,
): RawBuilder<ChunkRow> {
  const { workspaceId, documentKeys, chunkKeys, collectionIds } = values;
  const filter = condition === null ? sql`true` : condition(expressionBuilder());
  return sql<ChunkRow>`
    select ${remembered ? isCurrent(values) : sql`true`} as current,
      (select string_agg(documents.key || ':' || documents.searchable_revision, ',') from documents
        where documents.key = any(${documentKeys}::bigint[]) and documents.workspace_id = ${workspaceId}
          and documents.deleted_at is null and documents.collection_id = any(${collectionIds}::uuid[])
          and ${filter}) as alive,
      null::bigint as key, null::uuid as id, null as text, null::json as headings, null::json as block_ids,
      null::jsonb as boxes, null::int as revision, null::int as generation, null::bigint as document_key,
      null::uuid as document_id, null as document_name, null::uuid as collection_id, null as language,
      null::jsonb as metadata
    union all
    select null, null, page.key, page.id, page.text, to_json(page.headings), to_json(page.block_ids), page.boxes, page.revision,
      page.generation, document.*
    from (
      select key, id, text, headings, block_ids, boxes, revision, generation, document_id from chunks
      where key = any(${chunkKeys}::bigint[]) offset 0
    ) as page cross join lateral (
      select key, id, name, collection_id, language, metadata from documents
      where id = page.document_id and workspace_id = ${workspaceId} offset 0
    ) as document`;
}

/** Whether every index that is searched is the live one of a collection that is there. */
function isCurrent(values: { [Name in keyof LookValues]: unknown }): RawBuilder<boolean> {
  const { workspaceId, count, collectionIds, generations, tables, models, dimensions } = values;
  return sql`(
    select count(*) = ${count}::int
    from unnest(
      ${collectionIds}::uuid[], ${generations}::int[], ${tables}::text[], ${models}::text[], ${dimensions}::int[]
    ) as s(collection_id, generation, table_name, embedding_model, dimensions)
    cross join lateral (
      select from collections
      where id = s.collection_id and workspace_id = ${workspaceId} and deleted_at is null
        and live_generation = s.generation offset 0
    ) as collection cross join lateral (
      select from collection_indexes as i
      where i.collection_id = s.collection_id and i.generation = s.generation and i.table_name = s.table_name
        and i.embedding_model is not distinct from s.embedding_model
        and i.dimensions is not distinct from s.dimensions offset 0
    ) as index)`;
}

interface CompiledLook {
  text: string;
  /** Of the parameters. */
  order: readonly (keyof LookValues)[];
}

/** Of searches without a filter, nearly all: building the same text again and again takes 0.2 ms each time. */
let checked: CompiledLook | undefined;
let plain: CompiledLook | undefined;

/** Their names stand in for the values, and tell the order. */
function compiled(database: Kysely<Database>, remembered: boolean): CompiledLook {
  const names: { [Name in keyof LookValues]: Name } = {
    workspaceId: 'workspaceId',
    documentKeys: 'documentKeys',
    chunkKeys: 'chunkKeys',
    count: 'count',
    collectionIds: 'collectionIds',
    generations: 'generations',
    tables: 'tables',
    models: 'models',
    dimensions: 'dimensions',
  };
  const { sql: text, parameters } = lookStatement(names, remembered, null).compile(database);
  return { text, order: parameters as readonly (keyof LookValues)[] };
}

/** An array as PostgreSQL writes it: the driver takes 0.1 ms to write one of a hundred keys. */
const keyList = (keys: Iterable<bigint>): string => `{${[...keys].join(',')}}`;

interface ChunkRow {
  current: boolean | null;
  /** Of the first row only: `key:revision` of each living document. */
  alive: string | null;
  key: string;
  id: string;
  text: string;
  headings: string[];
  block_ids: string[];
  boxes: SearchedChunk['boxes'];
  revision: number;
  generation: number;
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
