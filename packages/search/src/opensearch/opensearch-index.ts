/**
 * The search index on an OpenSearch cluster, for deployments of many machines. Each table has an index, or a share of
 * an index by dimensions (`pool`). A partial answer of the cluster is an error, never a shorter answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@opensearch-project/opensearch';
import type { QueryTerm } from '@quire/text/language/analyse-query';
import {
  IndexUnavailableError,
  type IndexFilter,
  type IndexHit,
  type IndexRow,
  type IndexStats,
  type IndexTable,
  type SearchIndex,
} from '../search-index.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { isMissingIndex, isOverloaded, typeOf, unavailable } from './cluster-errors.ts';
import { indexBody, MAX_HITS, placeOf, type Place } from './mapping.ts';
import type { OpenSearchLocation } from './opensearch-location.ts';
import { cosineOf, denseQuery, doubtfulTerms, filterClauses, sparseQuery } from './queries.ts';

export interface OpenSearchOptions {
  location: OpenSearchLocation;
  /** Certificates (PEM) of additional authorities. */
  extraCa?: string | null;
  requestMs?: number;
  /** Pause before the first repetition of a refused request, in ms; it doubles. */
  backOffMs?: number;
}

interface Hits {
  timed_out?: boolean;
  _shards?: ShardCounts;
  hits?: { hits: { _score: number; fields: Record<string, [string]> }[]; total?: { value: number } };
}

interface ShardCounts {
  total: number;
  successful: number;
  failed: number;
}

interface BulkAnswer {
  errors: boolean;
  items: { index: { status: number; error?: { type: string; reason: string } } }[];
}

const REQUEST_MS = 30_000;
const BACK_OFF_MS = 100;
const MAX_ATTEMPTS = 6;
const DELETE_CLAUSES = 500;
const EXPUNGE_SHARE = 0.2;
/** Maximum size of a bulk request in bytes; OpenSearch recommends 5 to 15 MB. */
const BULK_BYTES = 8_000_000;
const FIELDS = ['chunk_key', 'document_key', 'revision'].map((field) => ({ field, format: '0' }));

export class OpenSearchIndex implements SearchIndex {
  readonly #client: Client;
  readonly #location: OpenSearchLocation;
  readonly #backOffMs: number;
  readonly #breaker = new CircuitBreaker();
  /** Aliases that this process has created or found. */
  readonly #known = new Set<string>();

  constructor({ location, extraCa = null, requestMs = REQUEST_MS, backOffMs = BACK_OFF_MS }: OpenSearchOptions) {
    this.#location = location;
    this.#backOffMs = backOffMs;
    this.#client = new Client({
      nodes: location.nodes,
      ...(location.auth !== null && { auth: location.auth }),
      ...(extraCa !== null && { ssl: { ca: extraCa } }),
      requestTimeout: requestMs,
      maxRetries: Math.max(2, location.nodes.length),
      resurrectStrategy: 'ping',
      agent: { keepAlive: true, maxSockets: 64 },
    });
  }

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    for (const { vector } of rows) {
      const length = vector?.length ?? null;
      if (length !== table.dimensions)
        throw new RangeError(`A vector of ${length} numbers in ${table.dimensions} dimensions`);
    }
    if (rows.length === 0) return;
    const place = placeOf(table, this.#location);
    let pending = rows.map((row) => bulkLines(row, place));
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      if (!this.#known.has(place.alias)) await this.#create(table, place);
      const rejected = await this.#bulk(place, pending);
      if (rejected.length > 0 && attempt === MAX_ATTEMPTS)
        throw new IndexUnavailableError('The search cluster is overloaded', 5);
      if (rejected.length > 0) await this.#pause(attempt);
      pending = rejected;
    }
  }

  async remove(
    table: IndexTable,
    documents: readonly { documentKey: bigint; belowRevision: number | null }[],
  ): Promise<void> {
    const place = placeOf(table, this.#location);
    const whole = documents.filter((each) => each.belowRevision === null).map((each) => each.documentKey);
    const clauses = documents.flatMap(({ documentKey, belowRevision }) =>
      belowRevision === null
        ? []
        : [
            {
              bool: {
                filter: [
                  { term: { document_key: String(documentKey) } },
                  { range: { revision: { lt: belowRevision } } },
                ],
              },
            },
          ],
    );
    const all: object[] = whole.length === 0 ? [] : (filterClauses(null, { includeDocuments: whole }) ?? []);
    for (const should of [all, ...batchesOf(clauses, DELETE_CLAUSES)]) {
      if (should.length > 0) await this.#deleteMatching(place, { bool: { should, minimum_should_match: 1 } });
    }
  }

  async searchSparse(
    table: IndexTable,
    terms: readonly QueryTerm[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexHit[]> {
    const place = placeOf(table, this.#location);
    const clauses = filterClauses(place.shared, filter);
    if (terms.length === 0 || clauses === null) return [];
    const absent = await this.#absent(place, doubtfulTerms(terms));
    return this.#search(place, sparseQuery(terms, absent, clauses), limit, (score) => score);
  }

  async searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    const place = placeOf(table, this.#location);
    const clauses = filterClauses(place.shared, filter);
    // Rows without a direction have no cosine, and OpenSearch refuses such a query.
    if (clauses === null || vector.every((value) => value === 0)) return [];
    return this.#search(place, denseQuery(vector, limit, clauses), limit, (score) => cosineOf(score, limit));
  }

  async stats(table: IndexTable): Promise<IndexStats | undefined> {
    const place = placeOf(table, this.#location);
    const query = place.shared === null ? { match_all: {} } : { term: { table: place.shared } };
    const answer = await this.#ifPresent(() => this.#client.count({ index: place.alias, body: { query } }));
    if (answer === undefined) return undefined;
    requireWhole(answer.body);
    const { count } = answer.body;
    // A table of a shared index exists as long as it has rows.
    if (place.shared !== null && count === 0) return undefined;
    return { rows: count, unindexedRows: 0, fragments: 1 };
  }

  /** Frees the space of removed rows once they are a fifth of the index. Lucene merges segments by itself. */
  async optimize(table: IndexTable): Promise<void> {
    const { alias } = placeOf(table, this.#location);
    await this.#ifPresent(async () => {
      const { body } = await this.#client.indices.stats({ index: alias, metric: 'docs' });
      const { count = 0, deleted = 0 } = body._all.primaries?.docs ?? {};
      if (deleted > (count + deleted) * EXPUNGE_SHARE) {
        await this.#client.indices.forcemerge({ index: alias, only_expunge_deletes: true });
      }
    });
  }

  async drop(table: IndexTable): Promise<void> {
    const place = placeOf(table, this.#location);
    if (place.shared !== null) return this.#deleteMatching(place, { match_all: {} });
    this.#known.delete(place.alias);
    await this.#ifPresent(() => this.#client.indices.delete({ index: place.index }));
  }

  async list(): Promise<string[]> {
    const { prefix, pool } = this.#location;
    const own = `${prefix}-t-`;
    if (!pool) {
      const answer = await this.#ifPresent(() => this.#client.indices.getAlias({ name: `${own}*` }));
      const aliases = Object.values(answer?.body ?? {}).flatMap((index) => Object.keys(index.aliases));
      return aliases.map((alias) => alias.slice(own.length));
    }
    const names: string[] = [];
    for (let after: unknown; ;) {
      const sources = [{ table: { terms: { field: 'table' } } }];
      const tables = { composite: { size: 10_000, sources, ...(after !== undefined && { after }) } };
      const body = { size: 0, aggs: { tables } };
      const answer = await this.#ifPresent(() =>
        this.#client.search({ index: `${prefix}-pool-*`, body: body as never }),
      );
      const result = answer?.body as (Hits & { aggregations?: { tables: TableBuckets } }) | undefined;
      if (result !== undefined) requireWhole(result);
      const { buckets = [], after_key: next } = result?.aggregations?.tables ?? {};
      names.push(...buckets.map(({ key }) => key.table));
      if (next === undefined) return names;
      after = next;
    }
  }

  /** Describes the cluster; rejects if it cannot be reached or a part of the data is missing. */
  async describe(): Promise<string> {
    const { body } = await this.#call(() => this.#client.cluster.health({ timeout: '1s' }));
    if (body.status === 'red') throw new IndexUnavailableError('The search cluster lacks shards', 5);
    return `OpenSearch: ${body.number_of_nodes} nodes, ${body.status}`;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Creates the index behind its alias. Concurrent creations by other processes are no error. */
  async #create({ dimensions }: IndexTable, { alias, index }: Place): Promise<void> {
    const { shards, replicas } = this.#location;
    try {
      const body = { ...indexBody({ dimensions, shards, replicas }), aliases: { [alias]: {} } };
      await this.#call(() => this.#client.indices.create({ index, body }));
    } catch (error) {
      if (typeOf(error) !== 'resource_already_exists_exception') throw error;
    }
    this.#known.add(alias);
  }

  /** Sends the rows, and returns the lines of those that the cluster was too busy for. */
  async #bulk(place: Place, lines: readonly string[]): Promise<string[]> {
    const rejected: string[] = [];
    for (const batch of batchesOfBytes(lines, BULK_BYTES)) {
      const request = {
        index: place.alias,
        body: batch.join(''),
        refresh: 'true' as const,
        // Without it, a write to an index that another process has dropped would create one without our fields.
        require_alias: true,
        ...(place.shared !== null && { routing: place.shared }),
      };
      const answer = await this.#call(() => this.#client.bulk(request as never));
      const { errors, items } = answer.body as unknown as BulkAnswer;
      if (errors) rejected.push(...batch.filter((_, position) => this.#isRejected(items[position], place)));
    }
    return rejected;
  }

  #isRejected(item: BulkAnswer['items'][number] | undefined, place: Place): boolean {
    const { status, error } = item?.index ?? { status: 500, error: undefined };
    // A newer version was written or the row was removed: this writer is late.
    if (error === undefined || status === 409) return false;
    if (error.type === 'index_not_found_exception') {
      this.#known.delete(place.alias);
      return true;
    }
    if (status === 429 || status === 503) return true;
    throw new Error(`The search cluster refused a row: ${error.type}: ${error.reason}`);
  }

  async #deleteMatching({ alias, shared }: Place, query: object): Promise<void> {
    const filtered = shared === null ? query : { bool: { filter: [{ term: { table: shared } }, query] } };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#ifPresent(() =>
        this.#client.deleteByQuery({
          index: alias,
          body: { query: filtered },
          refresh: true,
          conflicts: 'proceed',
          ...(shared !== null && { routing: shared }),
        }),
      );
      const body = answer?.body as
        | { version_conflicts?: number; failures?: unknown[]; timed_out?: boolean }
        | undefined;
      if (body === undefined) return;
      if (body.failures?.length || body.timed_out) throw new IndexUnavailableError('Rows could not be removed', 2);
      if (!body.version_conflicts) return;
      if (attempt === MAX_ATTEMPTS)
        throw new IndexUnavailableError('Rows that are being written could not be removed', 2);
      await this.#pause(attempt);
    }
  }

  async #search(
    { alias, shared }: Place,
    query: object,
    limit: number,
    toScore: (score: number) => number,
  ): Promise<IndexHit[]> {
    const body = {
      size: Math.min(MAX_HITS, limit),
      query,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: FIELDS,
      track_total_hits: false,
    };
    const request = {
      index: alias,
      body: body as never,
      allow_partial_search_results: false,
      request_cache: false,
      ...(shared !== null && { routing: shared }),
      // Shards of one table have different frequencies of terms; a shared index has one shard per table.
      ...(shared === null && this.#location.shards > 1 && { search_type: 'dfs_query_then_fetch' as const }),
    };
    const answer = await this.#ifPresent(() => this.#client.search(request));
    if (answer === undefined) return [];
    const result = answer.body as unknown as Hits;
    requireWhole(result);
    return (result.hits?.hits ?? []).map(({ _score, fields }) => ({
      chunkKey: BigInt(fields['chunk_key']?.[0] ?? 0),
      documentKey: BigInt(fields['document_key']?.[0] ?? 0),
      revision: Number(fields['revision']?.[0]),
      score: toScore(_score),
    }));
  }

  /** Returns those of the terms that occur in no row of the table. */
  async #absent({ alias, shared }: Place, terms: readonly string[]): Promise<Set<string>> {
    if (terms.length === 0) return new Set();
    const table = shared === null ? [] : [{ term: { table: shared } }];
    const body = terms.flatMap((value) => [
      { ...(shared !== null && { routing: shared }) },
      {
        size: 0,
        terminate_after: 1,
        track_total_hits: 1,
        query: { bool: { filter: [{ term: { terms: { value } } }, ...table] } },
      },
    ]);
    const answer = await this.#ifPresent(() => this.#client.msearch({ index: alias, body }));
    const responses = (answer?.body.responses ?? []) as unknown as (Hits & { error?: unknown })[];
    return new Set(
      terms.filter((_, position) => {
        const response = responses[position];
        if (response === undefined || response.error !== undefined) return false;
        return response.hits?.total?.value === 0;
      }),
    );
  }

  /** Returns undefined if the index does not exist. */
  async #ifPresent<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.#call(call);
    } catch (error) {
      if (isMissingIndex(error) || typeOf(error) === 'aliases_not_found_exception') return undefined;
      throw error;
    }
  }

  /** Repeats a call that the cluster was too busy for; other failures become `IndexUnavailableError` if they pass. */
  async #call<Result>(call: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#breaker.run(call);
      } catch (error) {
        if (!isOverloaded(error) || attempt === MAX_ATTEMPTS) throw unavailable(error);
        await this.#pause(attempt);
      }
    }
  }

  #pause(attempt: number): Promise<void> {
    return sleep(this.#backOffMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }
}

interface TableBuckets {
  buckets: { key: { table: string } }[];
  after_key?: unknown;
}

/** Throws unless all shards have answered: a shorter answer hides rows, and a smaller count starts a rebuild. */
function requireWhole({ timed_out: timedOut, _shards: shards }: { timed_out?: boolean; _shards?: ShardCounts }): void {
  if (timedOut !== true && (shards === undefined || (shards.failed === 0 && shards.successful === shards.total)))
    return;
  const counts = `${shards?.successful ?? 0} of ${shards?.total ?? 0} shards`;
  throw new IndexUnavailableError(`The search cluster answered from ${counts} only`, 2);
}

function bulkLines(row: IndexRow, { shared }: Place): string {
  const id = shared === null ? String(row.chunkKey) : `${shared}/${row.chunkKey}`;
  // A row is written again with the version that it has, and a removal has the next one.
  const action = { index: { _id: id, version: row.revision, version_type: 'external_gte' } };
  const isDirected = row.vector !== undefined && row.vector.some((value) => value !== 0);
  const source = {
    ...(shared !== null && { table: shared }),
    chunk_key: String(row.chunkKey),
    document_key: String(row.documentKey),
    revision: row.revision,
    terms: row.terms,
    ...(isDirected && { vector: Array.from(row.vector ?? []) }),
  };
  return `${JSON.stringify(action)}\n${JSON.stringify(source)}\n`;
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}

function batchesOfBytes(lines: readonly string[], maxBytes: number): string[][] {
  const batches: string[][] = [];
  let bytes = maxBytes;
  for (const line of lines) {
    bytes += line.length;
    if (bytes > maxBytes) {
      batches.push([]);
      bytes = line.length;
    }
    batches.at(-1)?.push(line);
  }
  return batches;
}
