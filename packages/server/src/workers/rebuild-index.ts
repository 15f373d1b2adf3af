/**
 * Job `rebuild-index`: builds a new generation of a collection's index, refills a table that was lost, or moves one
 * that has outgrown the storage which it shares with others.
 */
import type { CollectionIndexRecord } from '../database/tables.ts';
import type { IndexBuild, IndexBuilds } from '../domain/collections/index-builds.ts';
import { isOwnTable, renewedTableName } from '../domain/collections/types.ts';
import type { DocumentRecord } from '../database/tables.ts';
import type { Logger } from '../logger.ts';
import type { Embedder } from '@quire/models/embedder';
import { reindexDocument, rowsFromChunks, tableOf, type ReindexDeps } from '../ingestion/reindex.ts';
import { pause } from '@quire/shared/pause';
import type { JobContext, JobHandler } from '../queue/job-queue.ts';
import type { IndexRow, SearchIndex } from '@quire/search/search-index';

export interface RebuildIndexDeps extends ReindexDeps {
  builds: IndexBuilds;
  searchIndex: SearchIndex;
  embedderFor: (index: CollectionIndexRecord, signal: AbortSignal) => Promise<Embedder | null>;
  knownEmbeddings: (document: DocumentRecord, index: CollectionIndexRecord) => Promise<Map<string, Buffer>>;
  logger: Logger;
}

const DOCUMENTS_PER_ROUND = 50;
const ROWS_PER_READ = 2_000;
/** Number of rows per commit: 20 MB of vectors and 20 MB of terms. A million rows then make 50 fragments. */
const ROWS_PER_COMMIT = 20_000;
/** Time in which a search of a cluster ends, in ms. */
const LONGEST_SEARCH_MS = 10_000;

export function rebuildIndex(deps: RebuildIndexDeps): JobHandler<'rebuild-index'> {
  return async ({ collectionId, generation }, context) => {
    const build = await deps.builds.find(collectionId, generation);
    if (build === undefined) return undefined;
    if (build.index.status === 'live') {
      // An earlier attempt has cut over but ended before the final count.
      if (generation > 1 && build.index.finished_at === null) {
        await deps.builds.finishCounts(build, context.job);
        return 'recorded';
      }
      await refill(build, deps, context.signal);
      return undefined;
    }
    try {
      await reindex(build, deps, context);
      return 'recorded';
    } catch (error) {
      if (!context.signal.aborted && context.attempt >= context.maxAttempts) {
        await deps.builds.fail(build, error instanceof Error ? error.message : 'unknown error', context.job);
      }
      throw error;
    }
  };
}

async function reindex(begun: IndexBuild, deps: RebuildIndexDeps, { signal, job }: JobContext): Promise<void> {
  // The exact id of an external model may be available only now.
  const embedder = await deps.embedderFor(begun.index, signal);
  const model = { embedding_model: embedder?.modelId ?? null, dimensions: embedder?.dimensions ?? null };
  const build = await startTable({ ...begun, index: { ...begun.index, ...model } }, deps, signal);
  const table = tableOf(build.index);
  await deps.builds.recordTotal(build);
  await addPending(build, embedder, deps, signal, true);
  // Before, rows need not be searchable, and a search would scan the table.
  await deps.searchIndex.optimize(table);
  while (!(await deps.builds.cutOver(build, job))) await addPending(build, embedder, deps, signal);
  deps.logger.info({ collectionId: build.collection.id, generation: build.index.generation }, 'index cut over');
}

/**
 * Restarts the table of a resumed build, because chunks may lack their rows in it; rows without a chunk are harmless.
 * Keeps the table of a new build, because documents may have written to it since the index was created.
 */
async function startTable(begun: IndexBuild, deps: RebuildIndexDeps, signal: AbortSignal): Promise<IndexBuild> {
  if (begun.index.documents_done === 0) return begun;
  const build = await deps.builds.renewTable(begun);
  await deps.searchIndex.drop(tableOf(begun.index));
  await fill(build, tableOf(build.index), deps, signal);
  return build;
}

async function addPending(
  build: IndexBuild,
  embedder: Embedder | null,
  deps: RebuildIndexDeps,
  signal: AbortSignal,
  isBuild = false,
): Promise<void> {
  // Each round continues after the last document, as starting at the first would read all finished ones again.
  for (let after = 0n; ;) {
    signal.throwIfAborted();
    if ((await deps.builds.find(build.collection.id, build.index.generation)) === undefined) return;
    const documents = await deps.builds.pending(build, after, DOCUMENTS_PER_ROUND);
    const last = documents.at(-1);
    if (last === undefined) return;
    after = BigInt(last.key);
    await Promise.all(
      documents.map(async (document) => {
        const known = await deps.knownEmbeddings(document, build.index);
        const store = (rows: Parameters<IndexBuilds['storeChunks']>[2]): Promise<bigint[] | undefined> =>
          deps.builds.storeChunks(build, document, rows);
        const keep = (vectors: Map<string, Buffer>): Promise<void> =>
          deps.builds.keepEmbeddings(document, build.index, vectors);
        const input = { index: build.index, document, embedder, known, keep, isBuild };
        const found = await reindexDocument(input, store, deps, signal);
        if (!found) throw new Error(`document ${document.id} has no stored tree`);
      }),
    );
  }
}

async function refill(build: IndexBuild, deps: RebuildIndexDeps, signal: AbortSignal): Promise<void> {
  if (deps.searchIndex.reload !== undefined) {
    await deps.searchIndex.reload(tableOf(build.index));
    deps.logger.info({ collectionId: build.collection.id }, 'index loaded from the stored chunks');
    return;
  }
  const { sharedRows = Infinity } = deps.searchIndex;
  const wasOwn = isOwnTable(build.index.table_name);
  const isOwn = wasOwn || (await deps.builds.chunkCount(build)) > sharedRows;
  const startedAt = await deps.builds.beginRefill(build);
  const table = { ...tableOf(build.index), name: renewedTableName(build.index.table_name, startedAt, isOwn) };
  let documents: ReadonlySet<string>;
  try {
    documents = await fill(build, table, deps, signal);
    await deps.searchIndex.optimize(table);
  } catch (error) {
    // The next attempt creates a table with another name.
    await deps.searchIndex.drop(table);
    throw error;
  }
  await deps.builds.swapTable(build, table.name, startedAt, async (chunks) => {
    const late = rowsFromChunks(chunks, build.index.dimensions);
    await deps.searchIndex.remove(
      table,
      [...new Set(late.map((row) => row.documentKey))].map((documentKey) => ({ documentKey, belowRevision: null })),
    );
    await deps.writer.write(table, late);
  });
  const { id: collectionId } = build.collection;
  const serving = await deps.builds.find(collectionId, build.index.generation);
  if (serving?.index.table_name !== table.name) {
    // The collection was erased in the meantime.
    await deps.searchIndex.drop(table);
    return;
  }
  // Documents erased during the refill were removed from the former table only.
  const erased = await deps.builds.erased(build, [...documents]);
  await deps.searchIndex.remove(
    table,
    erased.map((key) => ({ documentKey: BigInt(key), belowRevision: null })),
  );
  // Searches that began before the swap still read a table that was whole.
  if (isOwn && !wasOwn) await pause(LONGEST_SEARCH_MS, [signal]);
  await deps.searchIndex.drop(tableOf(build.index));
  const event = isOwn && !wasOwn ? 'index moved to storage of its own' : 'index rebuilt from the stored chunks';
  deps.logger.info({ collectionId, documents: documents.size }, event);
}

/** Writes the stored chunks of the generation to the table and returns the keys of their documents. */
async function fill(
  build: IndexBuild,
  table: { name: string; dimensions: number | null },
  deps: RebuildIndexDeps,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const documents = new Set<string>();
  let batch: IndexRow[] = [];
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    await writing;
    // PostgreSQL reads the next rows while the index writes these.
    writing = deps.searchIndex.add(table, batch, { isBuild: true });
    writing.catch(() => undefined);
    batch = [];
  };
  for (let after = 0n; ;) {
    signal.throwIfAborted();
    const chunks = await deps.builds.chunksAfter(build, after, ROWS_PER_READ);
    const last = chunks.at(-1);
    if (last === undefined) break;
    after = BigInt(last.key);
    batch.push(...rowsFromChunks(chunks, build.index.dimensions));
    for (const chunk of chunks) documents.add(chunk.document_key);
    if (batch.length >= ROWS_PER_COMMIT) await write();
  }
  await write();
  await writing;
  return documents;
}
