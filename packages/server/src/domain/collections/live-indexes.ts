/**
 * Caches for a short time which index the searches of a collection read. A search that uses a cached record must check
 * at its end that the record is still current (`LiveChunks`).
 */
import type { Kysely } from 'kysely';
import type { CollectionIndexRecord, CollectionRecord, Database } from '../../database/tables.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { CollectionRepository } from './repository.ts';

export interface LiveIndex {
  collection: CollectionRecord;
  /** The index of the collection's live generation. */
  index: CollectionIndexRecord;
}

const REMEMBERED_MS = 500;

export class LiveIndexes {
  readonly #database: Kysely<Database>;
  readonly #recent: RecentReads<LiveIndex>;

  constructor(deps: { database: Kysely<Database> }) {
    this.#database = deps.database;
    this.#recent = new RecentReads({ keptMs: REMEMBERED_MS });
  }

  /** Reads the indexes by collection id, deleted collections included; ids of other workspaces are left out. */
  async read(workspaceId: string, collectionIds: readonly string[]): Promise<Map<string, LiveIndex>> {
    const collections = new CollectionRepository(this.#database);
    const [records, indexes] = await Promise.all([
      collections.findMany(workspaceId, collectionIds),
      collections.indexesOf(collectionIds),
    ]);
    return new Map(
      records.flatMap((collection) => {
        const index = indexes.find(
          (each) => each.collection_id === collection.id && each.generation === collection.live_generation,
        );
        return index === undefined ? [] : [[collection.id, { collection, index }]];
      }),
    );
  }

  /** Returns the cached indexes of all these collections, or undefined when one is not cached or deleted. */
  async recall(workspaceId: string, collectionIds: readonly string[]): Promise<Map<string, LiveIndex> | undefined> {
    let all: Promise<Map<string, LiveIndex>> | undefined;
    const living = new Map<string, LiveIndex>();
    for (const id of collectionIds) {
      const key = `${workspaceId} ${id}`;
      const read = async (): Promise<LiveIndex | undefined> => {
        all ??= this.read(workspaceId, collectionIds);
        const known = (await all).get(id);
        return known?.collection.deleted_at === null ? known : undefined;
      };
      const found = this.#recent.peek(key) ?? (await this.#recent.get(key, read));
      if (found === undefined) return undefined;
      living.set(id, found);
    }
    return living;
  }

  /** Clears the cache after a cached record proved out of date. */
  forget(): void {
    this.#recent.forgetAll();
  }
}
