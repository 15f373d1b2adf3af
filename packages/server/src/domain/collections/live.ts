import type { CollectionRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { deleted, notFound } from '../../errors.ts';
import { CollectionRepository } from './repository.ts';

/**
 * Returns the collection for changes inside it. Throws 404 when the workspace has none of this id, 409 when it is
 * deleted.
 */
export async function requireLiveCollection(
  executor: Executor,
  workspaceId: string,
  collectionId: string,
): Promise<CollectionRecord> {
  const record = await new CollectionRepository(executor).findById(workspaceId, collectionId);
  if (record === undefined) throw notFound();
  if (record.deleted_at !== null) throw deleted('The collection is deleted', { collectionId });
  return record;
}
