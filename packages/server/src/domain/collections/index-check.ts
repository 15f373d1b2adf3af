/** Finds live indexes that have lost rows (a deleted directory, a table that does not open) and has them rebuilt. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { SearchIndex } from '@quire/search/search-index';

export interface IndexCheckDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  searchIndex: SearchIndex;
}

export class IndexCheck {
  readonly #deps: IndexCheckDeps;

  constructor(deps: IndexCheckDeps) {
    this.#deps = deps;
  }

  /** Compares every live index with the passages that must be in it; returns the collections it had to queue. */
  async run(collectionIds?: readonly string[]): Promise<string[]> {
    const rebuilt: string[] = [];
    for (const expected of await this.#expected(collectionIds)) {
      const present = await this.#rows(expected.table_name, expected.dimensions);
      if (present >= Number(expected.chunks)) continue;
      await this.rebuild(expected.collection_id, expected.generation);
      rebuilt.push(expected.collection_id);
    }
    return rebuilt;
  }

  /**
   * Queues the rebuild of a generation, once however often it is asked for: every search asks for it while it runs. A key
   * alone does not keep a second one from being queued, and begun, beside one that runs.
   */
  async rebuild(collectionId: string, generation: number): Promise<void> {
    const key = `rebuild:${collectionId}:${generation}`;
    if ((await this.#deps.queue.states([key])).has(key)) return;
    await this.#deps.queue.enqueue(this.#deps.database, 'rebuild-index', { collectionId, generation }, { key });
  }

  async #rows(name: string, dimensions: number | null): Promise<number> {
    try {
      return (await this.#deps.searchIndex.stats({ name, dimensions }))?.rows ?? 0;
    } catch {
      // A table that does not open is as good as none: it is rebuilt from PostgreSQL.
      return 0;
    }
  }

  /** Passages are counted with their document: counting their rows takes 1 s for 20,000 that nobody read before. */
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
