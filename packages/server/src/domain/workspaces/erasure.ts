import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** The last step of a workspace's deletion: its records are removed for good, in steps that stay small. */
export class WorkspaceErasure {
  readonly #database: Kysely<Database>;

  constructor(deps: { database: Kysely<Database> }) {
    this.#database = deps.database;
  }

  /** The search index's tables of all its collections. */
  async tables(workspaceId: string): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('collection_indexes')
      .select('table_name')
      .where('workspace_id', '=', workspaceId)
      .execute();
    return rows.map((row) => row.table_name);
  }

  /** Does nothing unless the workspace is marked as deleted. */
  async erase(workspaceId: string): Promise<void> {
    const doomed = await this.#database
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', workspaceId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    if (doomed === undefined) return;
    await this.#database.deleteFrom('collections').where('workspace_id', '=', workspaceId).execute();
    await this.#database.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
  }
}
