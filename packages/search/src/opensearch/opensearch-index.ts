/**
 * The search index on an OpenSearch cluster, for deployments of many machines. Each table has an index, or a share of
 * an index by dimensions (`pool`). A partial answer of the cluster is an error, never a shorter answer.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import {
  IndexUnavailableError,
  type AddOptions,
  type IndexFilter,
  type IndexHit,
  type IndexRow,
  type IndexStats,
  type IndexTable,
  type SearchIndex,
} from '../search-index.ts';
import { Cluster, MAX_ATTEMPTS, requireWhole, type OpenSearchOptions, type ShardCounts } from './cluster.ts';
import { MAX_HITS, placeOf, type Place } from './mapping.ts';
import type { OpenSearchLocation } from './opensearch-location.ts';
import { cosineOf, denseQuery, doubtfulTerms, filterClauses, sparseQuery } from './queries.ts';
import { RowWriter } from './row-writer.ts';

interface Hits {
  timed_out?: boolean;
  _shards?: ShardCounts;
  hits?: { hits: { _score: number; fields: Record<string, [string]> }[]; total?: { value: number } };
}

const DELETE_CLAUSES = 500;
const EXPUNGE_SHARE = 0.2;
const FIELDS = ['chunk_key', 'document_key', 'revision'].map((field) => ({ field, format: '0' }));

export class OpenSearchIndex implements SearchIndex {
  readonly #location: OpenSearchLocation;
  readonly #cluster: Cluster;
  readonly #writer: RowWriter;
  readonly sharedRows?: number;

  constructor(options: OpenSearchOptions) {
    this.#location = options.location;
    this.#cluster = new Cluster(options);
    this.#writer = new RowWriter(this.#cluster, options.location);
    const { pool, poolRows } = options.location;
    if (pool) this.sharedRows = poolRows;
  }

  add(table: IndexTable, rows: readonly IndexRow[], options?: AddOptions): Promise<void> {
    return this.#writer.add(table, rows, options);
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
    // A query finds no rows that are not searchable yet, as those of a build.
    await this.#refresh(place);
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
    const answer = await this.#cluster.ifPresent((client) => client.count({ index: place.alias, body: { query } }));
    if (answer === undefined) return undefined;
    requireWhole(answer.body);
    const { count } = answer.body;
    // A table of a shared index exists as long as it has rows.
    if (place.shared !== null && count === 0) return undefined;
    return { rows: count, unindexedRows: 0, fragments: 1 };
  }

  /** Frees the space of removed rows once they are a fifth of the index. Lucene merges segments by itself. */
  async optimize(table: IndexTable): Promise<void> {
    const place = placeOf(table, this.#location);
    const { alias } = place;
    await this.#refresh(place);
    await this.#cluster.ifPresent(async (client) => {
      const { body } = await client.indices.stats({ index: alias, metric: 'docs' });
      const { count = 0, deleted = 0 } = body._all.primaries?.docs ?? {};
      if (deleted > (count + deleted) * EXPUNGE_SHARE) {
        await client.indices.forcemerge({ index: alias, only_expunge_deletes: true });
      }
    });
  }

  async drop(table: IndexTable): Promise<void> {
    const place = placeOf(table, this.#location);
    if (place.shared !== null) {
      // An orphan is dropped by its name alone: its dimensions are not known.
      const anywhere = { ...place, alias: `${this.#location.prefix}-pool-*` };
      await this.#refresh(anywhere);
      return this.#deleteMatching(anywhere, { match_all: {} });
    }
    this.#writer.forget(place);
    // The index behind the alias can have an earlier version of the fields.
    const found = await this.#cluster.ifPresent((client) => client.indices.getAlias({ name: place.alias }));
    const indexes = Object.keys(found?.body ?? {});
    if (indexes.length > 0) await this.#cluster.ifPresent((client) => client.indices.delete({ index: indexes }));
  }

  async list(): Promise<string[]> {
    const { prefix, pool } = this.#location;
    const own = `${prefix}-t-`;
    const alone = await this.#cluster.ifPresent((client) => client.indices.getAlias({ name: `${own}*` }));
    const aliases = Object.values(alone?.body ?? {}).flatMap((index) => Object.keys(index.aliases));
    const names = aliases.map((alias) => alias.slice(own.length));
    if (!pool) return names;
    for (let after: unknown; ;) {
      const sources = [{ table: { terms: { field: 'table' } } }];
      const tables = { composite: { size: 10_000, sources, ...(after !== undefined && { after }) } };
      const body = { size: 0, aggs: { tables } };
      const answer = await this.#cluster.ifPresent((client) =>
        client.search({ index: `${prefix}-pool-*`, body: body as never }),
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
    const { body } = await this.#cluster.call((client) => client.cluster.health({ timeout: '1s' }));
    if (body.status === 'red') throw new IndexUnavailableError('The search cluster lacks shards', 5);
    return `OpenSearch: ${body.number_of_nodes} nodes, ${body.status}`;
  }

  async close(): Promise<void> {
    await this.#cluster.close();
  }

  async #refresh({ alias }: Place): Promise<void> {
    const answer = await this.#cluster.ifPresent((client) => client.indices.refresh({ index: alias }));
    // Copies on nodes that are away count as total, and not as failed.
    const { _shards: shards } = (answer?.body ?? {}) as Pick<Hits, '_shards'>;
    if (shards !== undefined && shards.failed > 0) throw new IndexUnavailableError('Rows could not be refreshed', 2);
  }

  async #deleteMatching({ alias, shared }: Place, query: object): Promise<void> {
    const filtered = shared === null ? query : { bool: { filter: [{ term: { table: shared } }, query] } };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#cluster.ifPresent((client) =>
        client.deleteByQuery({
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
      await this.#cluster.pause(attempt);
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
    const answer = await this.#cluster.ifPresent((client) => client.search(request, this.#cluster.reading));
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
    const answer = await this.#cluster.ifPresent((client) =>
      client.msearch({ index: alias, body }, this.#cluster.reading),
    );
    const responses = (answer?.body.responses ?? []) as unknown as (Hits & { error?: unknown })[];
    return new Set(
      terms.filter((_, position) => {
        const response = responses[position];
        if (response === undefined || response.error !== undefined) return false;
        return response.hits?.total?.value === 0;
      }),
    );
  }
}

interface TableBuckets {
  buckets: { key: { table: string } }[];
  after_key?: unknown;
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}
