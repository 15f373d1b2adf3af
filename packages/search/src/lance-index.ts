/**
 * The search index on LanceDB: a directory, or a bucket of an S3 server that honours `If-None-Match` on PUT, which
 * Lance needs for its commits. Each index table is a Lance table of keys, terms under a full-text index, and vectors.
 *
 * Measured behaviour of 0.37.1: positions in the full-text index crash compaction; query strings are parsed, match
 * queries are not; unindexed rows are found by scanning; concurrent appends of two processes lose nothing, but two
 * processes that create the same table at once lose rows.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { Connection, Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { CopySource, RowBatch } from './memory/copy-source.ts';
import { isExisting, isMissingTable, retryConflicts } from './lance-errors.ts';
import { ensureTermsIndex, optimizeTable } from './lance-maintenance.ts';
import { columnsOf, fromArrow, identityOf, newSchemaOf, toArrow } from './lance-rows.ts';
import { LanceSpelling } from './lance-spelling.ts';
import { LanceTables } from './lance-tables.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { MAX_PARTITIONS, planFor, VectorIndexes } from './lance-vector-index.ts';
import type { IndexFilter, IndexHit, IndexRow, IndexStats, IndexTable } from './search-index.ts';

export interface LanceIndexOptions {
  /** A directory, or `s3://bucket/prefix`. */
  uri: string;
  /** Options of the object store: region, endpoint, credentials. */
  storageOptions?: Record<string, string>;
  /** Maximum number of open tables, 128 by default; each takes two file descriptors. */
  openTables?: number;
  /** Size of the index cache in bytes, 256 MB by default (Lance's own default is 6 GB). */
  cacheBytes?: number;
  /**
   * Runs the work of one name serially across all processes that may create tables; within this process by default.
   * When two create the same table at once, the later one empties the table of the earlier one (0.37.1).
   */
  oneAtATime?: (name: string, work: () => Promise<void>) => Promise<void>;
  /** Number of rows from which vectors are quantized in the index, 150,000 by default. */
  codedRows?: number;
}

const DEFAULT_OPEN_TABLES = 128;
const DEFAULT_CACHE_BYTES = 256 * 2 ** 20;
const METADATA_CACHE_BYTES = 64 * 2 ** 20;
/**
 * Number of rows above which an index of full vectors would not stay in memory. At 200,000 rows both kinds take 8 s of
 * CPU time to build; quantized codes take 10 MB instead of 200.
 */
const DEFAULT_CODED_ROWS = 150_000;
/** Number of requested hits above which the default partitions may not hold enough. */
const WIDE_LIMIT = 1000;
/** Maximum number of documents per delete: a predicate of some hundred kB is still parsed in a millisecond. */
const DOCUMENTS_PER_DELETE = 1000;

export class LanceIndex implements CopySource {
  readonly #connection: Connection;
  readonly #tables: LanceTables;
  /** Names of the tables that are known to have a full-text index. */
  readonly #indexed = new Set<string>();
  readonly #spelling = new LanceSpelling();
  readonly #vectorIndexes = new VectorIndexes();
  readonly #codedRows: number;
  readonly #oneAtATime: (name: string, work: () => Promise<void>) => Promise<void>;

  private constructor(connection: Connection, options: LanceIndexOptions) {
    const { openTables, codedRows, uri } = options;
    this.#connection = connection;
    this.#tables = new LanceTables(connection, openTables ?? DEFAULT_OPEN_TABLES);
    this.#codedRows = codedRows ?? DEFAULT_CODED_ROWS;
    const serialise = options.oneAtATime ?? oneAtATime;
    this.#oneAtATime = (name, work) => serialise(`${uri}/${name}`, work);
  }

  static async open(options: LanceIndexOptions): Promise<LanceIndex> {
    // Read when the library loads; without it each query logs a warning of the scanner.
    process.env.LANCEDB_LOG ??= 'error';
    const { connect, Session } = await import('@lancedb/lancedb');
    const cacheBytes = BigInt(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    const connection = await connect(options.uri, {
      // Otherwise a handle stays at its version; checking for a newer one costs nothing locally.
      readConsistencyInterval: 0,
      session: new Session(cacheBytes, BigInt(METADATA_CACHE_BYTES)),
      ...(options.storageOptions && { storageOptions: options.storageOptions }),
    });
    return new LanceIndex(connection, options);
  }

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    if (rows.length === 0) return;
    const batch = toArrow(table, rows);
    const append = () => this.#tables.write(table.name, (open) => this.#append(open, batch));
    if ((await append()) !== undefined) return;
    this.#indexed.delete(table.name);
    await this.#oneAtATime(table.name, () => retryConflicts(() => this.#create(table)));
    if ((await append()) === undefined)
      throw new Error(`The index table ${table.name} was dropped while it was written`);
  }

  /** Creates the table unless another process has created it. `existOk` would compare the identities too. */
  async #create(table: IndexTable): Promise<void> {
    try {
      await this.#connection.createEmptyTable(table.name, newSchemaOf(table));
    } catch (error) {
      if (!isExisting(error)) throw error;
    }
  }

  async #append(open: Table, batch: ReturnType<typeof toArrow>): Promise<true> {
    await retryConflicts(() => open.add(batch));
    if (!this.#indexed.has(open.name)) {
      await ensureTermsIndex(open);
      this.#indexed.add(open.name);
    }
    return true;
  }

  async remove(
    table: IndexTable,
    documents: readonly { documentKey: bigint; belowRevision: number | null }[],
  ): Promise<void> {
    for (let start = 0; start < documents.length; start += DOCUMENTS_PER_DELETE) {
      const predicate = documents
        .slice(start, start + DOCUMENTS_PER_DELETE)
        .map(removal)
        .join(' OR ');
      await this.#tables.write(table.name, (open) => retryConflicts(() => open.delete(predicate)));
    }
  }

  async searchSparse(
    table: IndexTable,
    terms: readonly QueryTerm[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexHit[]> {
    const predicate = predicateOf(filter);
    if (terms.length === 0 || predicate === null) return [];
    const hits = await this.#tables.read(table.name, async (open) => {
      const query = open.query().fullTextSearch(await this.#spelling.queryOf(open, terms), { columns: ['terms'] });
      if (predicate !== '') query.where(predicate);
      const answer = await query
        .select([...KEYS, '_score'])
        .limit(limit)
        .toArrow();
      return hitsOf(answer, '_score', (score) => score);
    });
    return hits ?? [];
  }

  async searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    const predicate = predicateOf(filter);
    if (predicate === null) return [];
    const hits = await this.#tables.read(table.name, async (open) => {
      const { probes, refine } = planFor(await this.#vectorIndexes.of(open), limit);
      const query = open.query().nearestTo(vector).distanceType('cosine').nprobes(probes);
      if (refine !== null) query.refineFactor(refine);
      // A narrow filter may match nothing in the nearest partitions; this continues until the limit is reached.
      if (filter?.includeDocuments !== undefined || limit > WIDE_LIMIT) query.maximumNprobes(MAX_PARTITIONS);
      if (predicate !== '') query.where(predicate);
      const answer = await query
        .select([...KEYS, '_distance'])
        .limit(limit)
        .toArrow();
      return hitsOf(answer, '_distance', (distance) => 1 - distance);
    });
    return hits ?? [];
  }

  async stats(table: IndexTable): Promise<IndexStats | undefined> {
    return this.#tables.read(table.name, async (open) => {
      const [{ numRows, fragmentStats }, indexes] = await Promise.all([open.stats(), open.listIndices()]);
      const unindexed = indexes.map((index) => index.numUnindexedRows ?? 0);
      return {
        rows: numRows,
        unindexedRows: indexes.length > 0 ? Math.max(...unindexed) : numRows,
        fragments: fragmentStats.numFragments,
      };
    });
  }

  version(table: IndexTable): Promise<number | undefined> {
    return this.#tables.read(table.name, (open) => open.version());
  }

  identity(table: IndexTable): Promise<string | null | undefined> {
    return this.#tables.read(table.name, async (open) => identityOf(await open.schema()));
  }

  async *scan(table: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch> {
    const batches = await this.#tables.read(table.name, async (open) => {
      const query = open.query().select(columnsOf(table)).withRowId();
      if (fromRowId > 0n) query.where(`_rowid >= ${fromRowId}`);
      return query;
    });
    for await (const batch of batches ?? []) yield fromArrow(batch, table);
  }

  async optimize(table: IndexTable): Promise<void> {
    await this.#tables.write(table.name, (open) => optimizeTable(open, table, this.#codedRows));
  }

  async drop(table: IndexTable): Promise<void> {
    this.#tables.forget(table.name);
    this.#indexed.delete(table.name);
    this.#spelling.forget(table.name);
    this.#vectorIndexes.forget(table.name);
    try {
      await this.#connection.dropTable(table.name);
    } catch (error) {
      if (!isMissingTable(error)) throw error;
    }
  }

  async list(): Promise<string[]> {
    const names: string[] = [];
    for (;;) {
      const startAfter = names.at(-1);
      const page = await this.#connection.tableNames({ limit: 1000, ...(startAfter !== undefined && { startAfter }) });
      names.push(...page);
      if (page.length < 1000) return names;
    }
  }

  async close(): Promise<void> {
    this.#tables.closeAll();
    this.#connection.close();
  }
}

const KEYS = ['chunk_key', 'document_key', 'revision'];

/** Converts the columns of an answer to hits, best first. */
function hitsOf(answer: ArrowTable, scoreColumn: string, toScore: (value: number) => number): IndexHit[] {
  const [chunkKeys, documentKeys, revisions, scores] = [...KEYS, scoreColumn].map((name) => answer.getChild(name));
  const hits: IndexHit[] = [];
  for (let row = 0; row < answer.numRows; row += 1) {
    const score = toScore(Number(scores?.get(row)));
    // The cosine of a zero vector is undefined.
    if (Number.isNaN(score)) continue;
    hits.push({
      chunkKey: BigInt(chunkKeys?.get(row)),
      documentKey: BigInt(documentKeys?.get(row)),
      revision: Number(revisions?.get(row)),
      score,
    });
  }
  // Some versions append the hits of unindexed rows instead of merging them.
  return hits.toSorted((a, b) => b.score - a.score);
}

/**
 * Returns the filter as SQL: empty without a filter, null when nothing can match. Keys are bigints and need no
 * escaping.
 */
function predicateOf(filter: IndexFilter | undefined): string | null {
  const { includeDocuments, excludeDocuments } = filter ?? {};
  if (includeDocuments?.length === 0) return null;
  const parts: string[] = [];
  if (includeDocuments) parts.push(`document_key IN (${includeDocuments.join(',')})`);
  if (excludeDocuments && excludeDocuments.length > 0)
    parts.push(`document_key NOT IN (${excludeDocuments.join(',')})`);
  return parts.join(' AND ');
}

function removal({ documentKey, belowRevision }: { documentKey: bigint; belowRevision: number | null }): string {
  const revision = belowRevision === null ? '' : ` AND revision < ${belowRevision}`;
  return `(document_key = ${documentKey}${revision})`;
}
