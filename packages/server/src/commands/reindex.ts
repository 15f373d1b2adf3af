/**
 * `npm run reindex`: queues the rebuild of every live search index from PostgreSQL; a running service does the work.
 */
import { toConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { enqueueRebuild } from '../domain/collections/index-jobs.ts';
import { createLogger } from '../logger.ts';
import { openDatabase } from '../open-database.ts';
import { GraphileJobQueue } from '../queue/graphile-queue.ts';

export async function reindexAll(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Usage: npm run reindex (without arguments)');
  const config = toConfig(readEnvironment());
  const database = await openDatabase(config, createLogger({ level: 'warn' }), { poolSize: 2 });
  try {
    const queue = new GraphileJobQueue(database.db);
    const indexes = await database.db
      .selectFrom('collection_indexes')
      .select(['collection_id', 'generation'])
      .where('status', '=', 'live')
      .execute();
    for (const { collection_id: collectionId, generation } of indexes) {
      await enqueueRebuild(database.db, queue, collectionId, generation);
    }
    process.stdout.write(`Queued the rebuild of ${indexes.length} indexes; a running service does it.\n`);
  } finally {
    await database.close();
  }
}
