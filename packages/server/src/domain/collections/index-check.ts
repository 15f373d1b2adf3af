/** Finds live indexes that have lost rows (a deleted directory, a table that does not open) and has them rebuilt. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { SearchIndex } from '../../search/search-index.ts';

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

  /** Queues the rebuild of a generation, once however often it is asked for. */
  rebuild(collectionId: string, generation: number): Promise<void> {
    const key = `rebuild:${collectionId}:${generation}`;
    return this.#deps.queue.enqueue(this.#deps.database, 'rebuild-index', { collectionId, generation }, { key });
  }

  async #rows(name: string, dimensions: number | null): Promise<number> {
    try {
      return (await this.#deps.searchIndex.stats({ name, dimensions }))?.rows ?? 0;
    } catch {
      // A table that does not open is as good as none: it is rebuilt from PostgreSQL.
      return 0;
    }
  }

  #expected(collectionIds?: readonly string[]) {
    let query = this.#deps.database
      .selectFrom('collection_indexes as i')
      .innerJoin('chunks as c', (join) =>
        join.onRef('c.collection_id', '=', 'i.collection_id').onRef('c.generation', '=', 'i.generation'),
      )
      .innerJoin('documents as d', (join) =>
        join.onRef('d.id', '=', 'c.document_id').onRef('d.searchable_revision', '=', 'c.revision'),
      )
      .select(['i.collection_id', 'i.generation', 'i.table_name', 'i.dimensions'])
      .select(sql<string>`count(*)`.as('chunks'))
      .where('i.status', '=', 'live')
      .groupBy(['i.collection_id', 'i.generation', 'i.table_name', 'i.dimensions']);
    if (collectionIds !== undefined) query = query.where('i.collection_id', 'in', [...collectionIds]);
    return query.execute();
  }
}
