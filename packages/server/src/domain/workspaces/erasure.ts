import type { Kysely } from 'kysely';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import type { Database } from '../../database/tables.ts';
import { endJob } from '../../queue/claims.ts';
import type { JobClaim } from '../../queue/job-queue.ts';
import { CollectionRepository } from '../collections/repository.ts';

/** The last step of a workspace's deletion: erases its records, collection by collection. */
export class WorkspaceErasure {
  readonly #database: Kysely<Database>;

  constructor(deps: { database: Kysely<Database> }) {
    this.#database = deps.database;
  }

  /** Returns the names of the index tables of all its collections. */
  async tables(workspaceId: string): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('collection_indexes')
      .select('table_name')
      .where('workspace_id', '=', workspaceId)
      .execute();
    return rows.map((row) => row.table_name);
  }

  /** Erases the records of its collections; does nothing unless the workspace is marked as deleted. */
  async eraseCollections(workspaceId: string): Promise<void> {
    const deleted = await this.#database
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', workspaceId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    if (deleted === undefined) return;
    const collections = await this.#database
      .selectFrom('collections')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .execute();
    for (const { id } of collections) {
      await retryDeadlock(() =>
        this.#database.transaction().execute(async (transaction) => {
          const repository = new CollectionRepository(transaction);
          await repository.lockDocuments(workspaceId, id);
          await repository.erase(workspaceId, id);
        }),
      );
    }
  }

  /** Erases the workspace itself once its files and tables are gone, and ends the job. */
  async erase(workspaceId: string, job: JobClaim | null = null): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      const erased = await transaction
        .deleteFrom('workspaces')
        .where('id', '=', workspaceId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirst();
      if (erased.numDeletedRows > 0n)
        await transaction.deleteFrom('audit_entries').where('workspace_id', '=', workspaceId).execute();
      await endJob(transaction, job);
    });
  }
}
