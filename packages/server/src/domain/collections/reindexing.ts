/** Starts and cancels the re-indexes of collections, by records of their indexes and jobs. */
import type { CollectionIndexRecord, CollectionRecord, IndexRecipe } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { DenseEmbedders } from '../configurations/dense-embedders.ts';
import { ConfigurationRepository } from '../configurations/repository.ts';
import type { ProviderConfig } from '../configurations/types.ts';
import { enqueueRebuild, enqueueSweep } from './index-jobs.ts';
import { CollectionRepository } from './repository.ts';
import { indexTableName, isOwnTable } from './types.ts';

export class Reindexing {
  readonly #queue: JobQueue;
  readonly #embedders: DenseEmbedders;

  constructor(deps: { queue: JobQueue; embedders: DenseEmbedders }) {
    this.#queue = deps.queue;
    this.#embedders = deps.embedders;
  }

  /** Inserts the next generation of the index and queues its build; a build under way is cancelled. */
  async start(executor: Executor, record: CollectionRecord): Promise<void> {
    const collections = new CollectionRepository(executor);
    await this.cancel(executor, record.id);
    const indexes = await collections.allIndexes(record.id);
    const generation = 1 + Math.max(...indexes.map((index) => index.generation));
    await this.insertIndex(executor, record, generation, 'building');
    await enqueueRebuild(executor, this.#queue, record.id, generation);
  }

  /** Cancels the builds of the collection and returns their number. */
  async cancel(executor: Executor, collectionId: string): Promise<number> {
    const collections = new CollectionRepository(executor);
    const building = (await collections.activeIndexes([collectionId])).filter((index) => index.status === 'building');
    for (const index of building) {
      await collections.updateIndex(collectionId, index.generation, { status: 'cancelled', finished_at: new Date() });
      await enqueueSweep(executor, this.#queue, collectionId);
    }
    return building.length;
  }

  /** Inserts the record of an index by the present settings of the collection. */
  async insertIndex(
    executor: Executor,
    record: CollectionRecord,
    generation: number,
    status: CollectionIndexRecord['status'],
  ): Promise<void> {
    const configurations = new ConfigurationRepository(executor);
    const configOf = async (id: string): Promise<ProviderConfig> =>
      (await configurations.getById(record.workspace_id, id)).config as unknown as ProviderConfig;
    const { modelId, dimensions, remote } = this.#embedders.modelOf(await configOf(record.embedder_id));
    const { language } = await configOf(record.sparse_embedder_id);
    const collections = new CollectionRepository(executor);
    const hasOwnTable = (await collections.allIndexes(record.id)).some(({ table_name: name }) => isOwnTable(name));
    await collections.insertIndex({
      embedding_model: modelId,
      dimensions,
      collection_id: record.id,
      generation,
      workspace_id: record.workspace_id,
      status,
      table_name: indexTableName(record.id, generation, hasOwnTable),
      recipe: JSON.stringify({
        parserId: record.parser_id,
        embedderId: record.embedder_id,
        sparseEmbedderId: record.sparse_embedder_id,
        chunking: record.chunking,
        remote,
        language,
      } satisfies IndexRecipe),
    });
  }
}
