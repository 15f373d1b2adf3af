import type { Kysely } from 'kysely';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import type { Database } from '../../database/tables.ts';
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

  /** Erases the records; does nothing unless the workspace is marked as deleted. */
  async erase(workspaceId: string): Promise<void> {
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
    await this.#database.deleteFrom('audit_entries').where('workspace_id', '=', workspaceId).execute();
    await this.#database.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
  }
}
