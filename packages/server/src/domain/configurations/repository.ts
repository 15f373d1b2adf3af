import type { Selectable } from 'kysely';
import type { ConfigurationRole, ConfigurationsTable } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';

export type ConfigurationRecord = Selectable<ConfigurationsTable>;

export class ConfigurationRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** The workspace's configurations of the given ids that are not deleted. */
  findMany(workspaceId: string, ids: readonly string[]): Promise<ConfigurationRecord[]> {
    return this.#executor
      .selectFrom('configurations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids.length === 0 ? ['00000000-0000-0000-0000-000000000000'] : [...ids])
      .where('deleted_at', 'is', null)
      .execute();
  }

  /** The default of each role. */
  async defaults(workspaceId: string): Promise<Map<ConfigurationRole, ConfigurationRecord>> {
    const rows = await this.#executor
      .selectFrom('configurations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('is_default', '=', true)
      .where('deleted_at', 'is', null)
      .execute();
    return new Map(rows.map((row) => [row.role, row]));
  }
}
