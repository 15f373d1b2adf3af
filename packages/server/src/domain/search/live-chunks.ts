/**
 * Decides which hits are visible, by the records at query time and not by the index. A hit is visible if its chunk
 * belongs to the searchable revision of its document and to the collection's live generation, and the document is not
 * deleted.
 */
import { CompiledQuery, expressionBuilder, sql, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type { BoundingBox } from '@quire/blocks/block';
import { inShareOf } from '../../database/connection-shares.ts';
import { withFilterLimit } from '../../database/filter-limit.ts';
import { isSmall } from '../../database/json-bytes.ts';
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
  /** Title that the content states; null if it states none, or was read by an earlier version. */
  documentTitle: string | null;
  language: string | null;
  /** Null if it is large; `large-metadata.ts` reads it for the hits of the answer. */
  metadata: Record<string, unknown> | null;
}

/**
 * Thrown when the cached state of a searched collection is out of date: it was deleted or has a new index, for example.
 */
export class OutdatedIndexError extends Error {
  override readonly name = 'OutdatedIndexError';
}

export interface LiveChunksOptions {
  workspaceId: string;
  searched: readonly LiveIndex[];
  /** The filter, unless it was pushed down into the index. */
  condition: DocumentCondition | null;
  /** True when the index records come from a cache, so that each look-up checks that they are current. */
  cached: boolean;
}

export class LiveChunks implements ChunkSource<SearchedChunk> {
  readonly #database: Kysely<Database>;
  readonly #options: LiveChunksOptions;

  constructor(database: Kysely<Database>, options: LiveChunksOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * Runs one statement, since a round trip costs more than most of its work. Throws `OutdatedIndexError`. Chunk rows
   * are read only for `wanted` hits: the index may hold rows that a failed ingestion attempt left behind.
   */
  async lookUp(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<Lookup<SearchedChunk>> {
    if (hits.length === 0 && wanted.length === 0 && !this.#options.cached) return { visible: new Set(), chunks: [] };
    const { workspaceId } = this.#options;
    const { rows } = await inShareOf(this.#database, workspaceId, () => this.#execute(hits, wanted));
    const [summary, ...chunks] = rows;
    if (summary?.current === false) throw new OutdatedIndexError('a cached index record is out of date');
    const visibleRevisions = new Set(summary?.visible?.split(','));
    const generations = new Map(this.#options.searched.map(({ index }) => [index.collection_id, index.generation]));
    const isShown = (row: ChunkRow): boolean =>
      visibleRevisions.has(`${row.document_key}:${row.revision}`) &&
      generations.get(row.collection_id) === row.generation;
    const visible = new Set(hits.filter((hit) => visibleRevisions.has(`${hit.documentKey}:${hit.revision}`)));
    return { visible, chunks: chunks.filter(isShown).map(toChunk) };
  }

  #execute(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<QueryResult<ChunkRow>> {
    const { workspaceId, searched, condition, cached } = this.#options;
    const values: LookupValues = {
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
    if (condition !== null) {
      return withFilterLimit(condition, () => lookupStatement(values, cached, condition).execute(this.#database));
    }
    const known = cached ? (checked ??= compiled(this.#database, true)) : (plain ??= compiled(this.#database, false));
    const parameters = known.order.map((name) => values[name]);
    return this.#database.executeQuery<ChunkRow>(CompiledQuery.raw(known.text, parameters));
  }
}

/** The statement's parameters. Long lists are formatted here, since the driver is slow at it. */
interface LookupValues {
  workspaceId: string;
  documentKeys: string;
  chunkKeys: string;
  /** Number of searched collections; each of the following lists has as many values. */
  count: number;
  collectionIds: readonly string[];
  generations: readonly number[];
  tables: readonly string[];
  models: readonly (string | null)[];
  dimensions: readonly (number | null)[];
}

/**
 * Returns a summary row, then one row per chunk. `offset 0` prevents PostgreSQL from merging the subqueries: without
 * statistics it would read all chunks of the collection (9 ms for 10,000) instead of looking them up by key. Lists are
 * returned as JSON, which the driver parses faster than arrays.
 */
function lookupStatement(
  values: { [Name in keyof LookupValues]: unknown },
  cached: boolean,
  condition: DocumentCondition | null,
): RawBuilder<ChunkRow> {
  const { workspaceId, documentKeys, chunkKeys, collectionIds } = values;
  const filter = condition === null ? sql`true` : condition(expressionBuilder());
  return sql<ChunkRow>`
    select ${cached ? isCurrent(values) : sql`true`} as current,
      (select string_agg(documents.key || ':' || documents.searchable_revision, ',') from documents
        where documents.key = any(${documentKeys}::bigint[]) and documents.workspace_id = ${workspaceId}
          and documents.deleted_at is null and documents.collection_id = any(${collectionIds}::uuid[])
          and ${filter}) as visible,
      null::bigint as key, null::uuid as id, null as text, null::json as headings, null::json as block_ids,
      null::jsonb as boxes, null::int as revision, null::int as generation, null::bigint as document_key,
      null::uuid as document_id, null as document_name, null as document_title, null::uuid as collection_id, null as language,
      null::jsonb as metadata
    union all
    select null, null, page.key, page.id, page.text, to_json(page.headings), to_json(page.block_ids), page.boxes, page.revision,
      page.generation, document.*
    from (
      select key, id, text, headings, block_ids, boxes, revision, generation, document_id from chunks
      where key = any(${chunkKeys}::bigint[]) offset 0
    ) as page cross join lateral (
      select key, id, name, title, collection_id, language,
        case when ${isSmall(sql.ref('metadata'))} then metadata end as metadata
      from documents
      where id = page.document_id and workspace_id = ${workspaceId} offset 0
    ) as document`;
}

/** Tests whether every searched index is the live one of an existing collection. */
function isCurrent(values: { [Name in keyof LookupValues]: unknown }): RawBuilder<boolean> {
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

interface CompiledLookup {
  text: string;
  /** Names of the parameters in the statement's order. */
  order: readonly (keyof LookupValues)[];
}

/** The compiled statements of searches without a filter (nearly all): compiling takes 0.2 ms each time. */
let checked: CompiledLookup | undefined;
let plain: CompiledLookup | undefined;

/** Compiles the statement with the parameter names as values, which yields their order. */
function compiled(database: Kysely<Database>, cached: boolean): CompiledLookup {
  const names: { [Name in keyof LookupValues]: Name } = {
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
  const { sql: text, parameters } = lookupStatement(names, cached, null).compile(database);
  return { text, order: parameters as readonly (keyof LookupValues)[] };
}

/** Formats an array literal of PostgreSQL; the driver takes 0.1 ms for one of a hundred keys. */
const keyList = (keys: Iterable<bigint>): string => `{${[...keys].join(',')}}`;

interface ChunkRow {
  current: boolean | null;
  /** Only in the first row: `key:revision` of each visible document. */
  visible: string | null;
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
  document_title: string | null;
  collection_id: string;
  language: string | null;
  metadata: Record<string, unknown> | null;
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
  documentTitle: row.document_title,
  language: row.language,
  metadata: row.metadata,
});
