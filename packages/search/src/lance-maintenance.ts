/** Indexes and upkeep of one Lance table. */
import type { Table } from '@lancedb/lancedb';
import { retryConflicts } from './lance-errors.ts';
import {
  codedPartitions,
  MAX_PARTITIONS,
  vectorIndexName,
  vectorIndexesOf,
  type VectorIndex,
} from './lance-vector-index.ts';
import type { IndexTable } from './search-index.ts';

/** Below this an exact scan takes 1 to 7 ms, and a vector index would only lose recall. */
const INDEXED_ROWS = 10_000;
/**
 * 50,000 vectors loosely in 400 clusters, 20 probes: 200 rows a partition recall@10 .992 in 2.9 ms, 100 rows .912 in 1.6 ms;
 * in dense clusters both 1.000. Training 500 partitions takes half the time of 1,000, and fewer iterations lose recall.
 */
const ROWS_PER_PARTITION = 200;
/** The centroids of a table that grew this much no longer fit it. */
const RETRAIN_GROWTH = 4;
/** A reader may be as old as this: cleaning up under it is a `Not found` in the middle of a query. */
const KEEP_VERSIONS_MS = 10 * 60_000;
/** Each version of a million rows that was optimised is 1.7 GB. */
const KEEP_LARGE_VERSIONS_MS = 3 * 60_000;

/** Codes of one bit a dimension are packed into bytes. */
const CODED_DIMENSIONS = 8;

const TERMS_INDEX = 'terms_idx';
const DOCUMENTS_INDEX = 'documents_idx';

/** Creates the full-text index when there is none; of two processes that try, one does. Call it after the first rows. */
export async function ensureTermsIndex(table: Table): Promise<void> {
  if (await hasIndex(table, TERMS_INDEX)) return;
  const { Index } = await import('@lancedb/lancedb');
  // An `Index` is good for one call only.
  const create = () =>
    table.createIndex('terms', {
      name: TERMS_INDEX,
      replace: false,
      config: Index.fts({
        baseTokenizer: 'whitespace',
        maxTokenLength: 1024,
        withPosition: false,
        lowercase: false,
        stem: false,
        removeStopWords: false,
        asciiFolding: false,
      }),
    });
  try {
    await retryConflicts(async () => ((await hasIndex(table, TERMS_INDEX)) ? undefined : create()));
  } catch (error) {
    if (!(await hasIndex(table, TERMS_INDEX))) throw error;
  }
}

/**
 * Compacts fragments, brings indexes up to date, removes old versions, and sees to the vector index: none for few rows, the
 * vectors by partition, and from `codedRows` on codes by partition.
 */
export async function optimizeTable(table: Table, { dimensions }: IndexTable, codedRows: number): Promise<void> {
  const rows = await table.countRows();
  // An emptied table is compacted too: its old versions still hold the terms of deleted documents.
  if (rows > 0) await ensureTermsIndex(table);
  const keepMs = rows < codedRows ? KEEP_VERSIONS_MS : KEEP_LARGE_VERSIONS_MS;
  await retryConflicts(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - keepMs) }));
  if (rows < INDEXED_ROWS) return;
  await indexDocuments(table);
  if (dimensions === null) return;
  await trainVectorIndex(table, rows, rows >= codedRows && dimensions % CODED_DIMENSIONS === 0);
}

/** For filters by document: at 100,000 rows 10 documents in 1.1 ms instead of 6 (terms), 4.8 instead of 9 (vectors). */
async function indexDocuments(table: Table): Promise<void> {
  if (await hasIndex(table, DOCUMENTS_INDEX)) return;
  const { Index } = await import('@lancedb/lancedb');
  await retryConflicts(() => table.createIndex('document_key', { name: DOCUMENTS_INDEX, config: Index.btree() }));
}

async function trainVectorIndex(table: Table, rows: number, coded: boolean): Promise<void> {
  const old = await vectorIndexesOf(table);
  const fits = (index: VectorIndex): boolean => rows < index.trainedRows * RETRAIN_GROWTH && (index.coded || !coded);
  if (old.some(fits)) return;
  const { Index } = await import('@lancedb/lancedb');
  const options = {
    numPartitions: coded ? codedPartitions(rows) : flatPartitions(rows),
    distanceType: 'cosine',
  } as const;
  await retryConflicts(() =>
    table.createIndex('vector', {
      name: vectorIndexName(rows, coded),
      config: coded ? Index.ivfRq(options) : Index.ivfFlat(options),
    }),
  );
  for (const { name } of old) await retryConflicts(() => table.dropIndex(name));
}

const flatPartitions = (rows: number): number => Math.min(MAX_PARTITIONS, Math.round(rows / ROWS_PER_PARTITION));

async function hasIndex(table: Table, name: string): Promise<boolean> {
  return (await table.listIndices()).some((index) => index.name === name);
}
