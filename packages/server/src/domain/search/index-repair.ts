/** Queues the rebuild of index tables that a search found damaged or absent. */
import type { RetrievalTarget } from '@quire/search/retrieval-plan';
import type { SearchIndex } from '@quire/search/search-index';
import type { IndexCheck } from '../collections/index-check.ts';
import type { LiveIndex } from '../collections/live-indexes.ts';
import type { SearchWarning } from './types.ts';

export interface IndexRepairDeps {
  searchIndex: SearchIndex;
  indexCheck: IndexCheck;
}

export class IndexRepair {
  readonly #deps: IndexRepairDeps;

  constructor(deps: IndexRepairDeps) {
    this.#deps = deps;
  }

  /**
   * Queues the rebuild of each damaged table, and of the absent tables of a search without hits whose collections have
   * chunks. Returns a warning for each. The row count of a damaged table proves nothing, so it is not compared.
   */
  async repair(
    searched: readonly LiveIndex[],
    targets: readonly RetrievalTarget[],
    { damaged, hasHits }: { damaged: readonly string[]; hasHits: boolean },
  ): Promise<SearchWarning[]> {
    const absent = hasHits ? [] : await this.#absentTables(targets);
    const rebuilt: string[] = [];
    for (const { collection, index } of indexesOf(searched, damaged)) {
      await this.#deps.indexCheck.rebuild(collection.id, index.generation);
      rebuilt.push(collection.id);
    }
    const others = absent.filter((table) => !damaged.includes(table));
    for (const { collection } of indexesOf(searched, others)) {
      rebuilt.push(...(await this.#deps.indexCheck.run([collection.id])));
    }
    return rebuilt.map((id) => ({
      type: 'index_rebuilding',
      message: `The index of collection ${id} is being rebuilt; hits may be missing until it is done`,
    }));
  }

  /** Returns the tables that do not exist, because the collection is empty or the table was lost. */
  async #absentTables(targets: readonly RetrievalTarget[]): Promise<string[]> {
    const stats = await Promise.all(targets.map(({ table }) => this.#deps.searchIndex.stats(table).catch(() => null)));
    return targets.flatMap(({ table }, position) => (stats[position] === undefined ? [table.name] : []));
  }
}

const indexesOf = (searched: readonly LiveIndex[], tables: readonly string[]): LiveIndex[] =>
  tables.flatMap((table) => searched.find(({ index }) => index.table_name === table) ?? []);
