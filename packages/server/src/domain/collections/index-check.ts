/**
 * Finds search indexes that lack rows (files lost, or a table that does not open) and has them rebuilt, and drops index
 * tables without a record.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { IndexTableError, type SearchIndex } from '@quire/search/search-index';
import { enqueueRebuild, rebuildJobKey } from './index-jobs.ts';
import { isIndexTableName, isOwnTable, renewedAt } from './types.ts';

export interface IndexCheckDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  searchIndex: SearchIndex;
  /**
   * Share of all collections, from 0 to 1, above which a check queues no rebuilds: an index that lost so much is more
   * likely the wrong one. Null for an index that belongs to this machine alone.
   */
  maxLostShare?: number | null;
}

/** Too many indexes lack rows, so that none is rebuilt. */
export class IndexCheckHeld extends Error {
  override readonly name = 'IndexCheckHeld';
  readonly lost: number;
  readonly checked: number;

  constructor(lost: number, checked: number) {
    super(
      `${lost} of ${checked} collections have no complete search index. No rebuild was queued, because the address of the ` +
        "index may be wrong: check QUIRE_INDEX_URL, or run 'npm run reindex' to rebuild all of them",
    );
    this.lost = lost;
    this.checked = checked;
  }
}

/** Number of collections that are always rebuilt, as one of few collections is a large share. */
const ALWAYS_REBUILT = 1;
const CONCURRENT_CHECKS = 8;

/** Age, in ms, up to which a table without a record may be one that a rebuild is still filling. */
const MAX_REBUILD_MS = 24 * 60 * 60_000;

export class IndexCheck {
  readonly #deps: IndexCheckDeps;

  constructor(deps: IndexCheckDeps) {
    this.#deps = deps;
  }

  /**
   * Compares every live index with the chunks that it must hold, and returns the collections queued for a rebuild.
   * Throws when the search index cannot be reached: an unreachable index is not an empty one. Throws `IndexCheckHeld`
   * when a check of all collections finds more than `maxLostShare` of them incomplete.
   */
  async run(collectionIds?: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const expected = await this.#expected(collectionIds);
    const lost: typeof expected = [];
    for (let start = 0; start < expected.length; start += CONCURRENT_CHECKS) {
      signal?.throwIfAborted();
      const batch = expected.slice(start, start + CONCURRENT_CHECKS);
      const present = await Promise.all(batch.map((each) => this.#rows(each.table_name, each.dimensions)));
      lost.push(...batch.filter(({ chunks }, position) => (present[position] ?? 0) < Number(chunks)));
    }
    const { maxLostShare = null } = this.#deps;
    const isBraked = collectionIds === undefined && maxLostShare !== null;
    if (isBraked && lost.length > Math.max(ALWAYS_REBUILT, expected.length * maxLostShare)) {
      throw new IndexCheckHeld(lost.length, expected.length);
    }
    for (const each of lost) await this.rebuild(each.collection_id, each.generation);
    return lost.map((each) => each.collection_id);
  }

  /**
   * Queues the rebuild of a generation unless its job waits or runs already: every search that finds the index damaged
   * calls this. The job key alone would not prevent a second job beside a running one.
   */
  async rebuild(collectionId: string, generation: number): Promise<void> {
    const { database, queue } = this.#deps;
    const key = rebuildJobKey(collectionId, generation);
    if ((await queue.states([key])).has(key)) return;
    await enqueueRebuild(database, queue, collectionId, generation);
  }

  /**
   * Queues the move of each table that has outgrown the storage which it shares with others. Returns the collections.
   * The job fills a table of its own from the stored chunks while the shared one serves.
   */
  async moveGrown(): Promise<string[]> {
    const { sharedRows } = this.#deps.searchIndex;
    if (sharedRows === undefined) return [];
    const live = await this.#expected();
    const grown = live.filter(({ chunks, table_name: name }) => Number(chunks) > sharedRows && !isOwnTable(name));
    for (const each of grown) await this.rebuild(each.collection_id, each.generation);
    return grown.map((each) => each.collection_id);
  }

  /** Drops index tables that belong to no collection, such as those written after a purge. Returns their names. */
  async dropOrphans(now: number): Promise<string[]> {
    // Listed before the records are read: a collection's record is committed before its table is created.
    const present = (await this.#deps.searchIndex.list()).filter(isIndexTableName);
    const records = await this.#deps.database.selectFrom('collection_indexes').select('table_name').execute();
    const known = new Set(records.map((record) => record.table_name));
    const orphans = present.filter((name) => !known.has(name) && now - (renewedAt(name) ?? 0) > MAX_REBUILD_MS);
    for (const name of orphans) await this.#deps.searchIndex.drop({ name, dimensions: null });
    return orphans;
  }

  async #rows(name: string, dimensions: number | null): Promise<number> {
    try {
      return (await this.#deps.searchIndex.stats({ name, dimensions }))?.rows ?? 0;
    } catch (error) {
      // A damaged table is rebuilt from PostgreSQL.
      if (error instanceof IndexTableError) return 0;
      throw error;
    }
  }

  /** Sums the documents' chunk counts: counting 20,000 chunk rows that are not in memory takes 1 s. */
  #expected(collectionIds?: readonly string[]) {
    let query = this.#deps.database
      .selectFrom('collection_indexes as i')
      .innerJoin('documents as d', 'd.collection_id', 'i.collection_id')
      .select(['i.collection_id', 'i.generation', 'i.table_name', 'i.dimensions'])
      .select((eb) => eb.fn.sum<string>('d.chunk_count').as('chunks'))
      .where('i.status', '=', 'live')
      .where('d.searchable_revision', 'is not', null)
      .groupBy(['i.collection_id', 'i.generation', 'i.table_name', 'i.dimensions']);
    if (collectionIds !== undefined) query = query.where('i.collection_id', 'in', [...collectionIds]);
    return query.execute();
  }
}
