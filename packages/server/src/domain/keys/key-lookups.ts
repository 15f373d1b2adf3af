/**
 * Looks up keys for requests, many in one statement: a flood of requests with unknown keys takes one connection of the
 * database and not all of them.
 */
import type { ApiKeyRecord } from '../../database/tables.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import type { KeyRepository } from './repository.ts';

const MAX_BATCH = 200;

interface Found {
  record: ApiKeyRecord | undefined;
}

export class KeyLookups {
  readonly #byHash: BatchedCalls<Buffer, Found>;
  readonly #byId: BatchedCalls<string, Found>;

  constructor(keys: KeyRepository) {
    this.#byHash = batched(async (hashes: readonly Buffer[]) => {
      const found = new Map(
        (await keys.findByHashes(hashes)).map((record) => [record.key_hash.toString('hex'), record]),
      );
      return hashes.map((hash) => ({ record: found.get(hash.toString('hex')) }));
    });
    this.#byId = batched(async (ids: readonly string[]) => {
      const found = new Map((await keys.findLive(ids)).map((record) => [record.id, record]));
      return ids.map((id) => ({ record: found.get(id.toLowerCase()) }));
    });
  }

  /** Returns the key unless it expired or its workspace was deleted. */
  async findByHash(hash: Buffer): Promise<ApiKeyRecord | undefined> {
    return (await this.#byHash.call(hash)).record;
  }

  /** Returns the key unless it expired or its workspace was deleted. */
  async findById(id: string): Promise<ApiKeyRecord | undefined> {
    return (await this.#byId.call(id)).record;
  }
}

const batched = <Item>(find: (items: readonly Item[]) => Promise<Found[]>): BatchedCalls<Item, Found> =>
  new BatchedCalls({
    maxBatchSize: MAX_BATCH,
    runBatch: find,
    runSingle: async (item) => (await find([item]))[0] ?? { record: undefined },
    // Each lookup is tried by itself then, and its error is reported.
    onBatchFailed: () => undefined,
  });
