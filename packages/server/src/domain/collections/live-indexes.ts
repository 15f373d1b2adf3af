/**
 * The index that searches of a collection read. Remembered for a moment, for a busy client searches the same collection
 * over and over; whoever uses what was remembered must make sure at the end that it was still so (`LiveChunks`).
 */
import type { Kysely } from 'kysely';
import type { CollectionIndexRecord, CollectionRecord, Database } from '../../database/tables.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { CollectionRepository } from './repository.ts';

export interface LiveIndex {
  collection: CollectionRecord;
  /** Of the collection's live generation. */
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

  /** By the collections' ids, without those that the workspace does not have. Deleted collections are among them. */
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

  /** As they were a moment ago; all of them, or undefined when one is missing or deleted. */
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

  /** Something that was remembered is not so any more. */
  forget(): void {
    this.#recent.forgetAll();
  }
}
