import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { ConfigurationKind, ConfigurationRole, ConfigurationsTable } from '../../database/tables.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';

export type ConfigurationRecord = Selectable<ConfigurationsTable>;

export class ConfigurationRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(configuration: Insertable<ConfigurationsTable>): Promise<ConfigurationRecord> {
    return this.#executor.insertInto('configurations').values(configuration).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns the record, also of a deleted one. */
  findById(workspaceId: string, kind: ConfigurationKind, id: string): Promise<ConfigurationRecord | undefined> {
    return this.#one(workspaceId, kind, id).executeTakeFirst();
  }

  /** Returns a configuration of any kind, also a deleted one; throws if there is none. */
  getById(workspaceId: string, id: string): Promise<ConfigurationRecord> {
    return this.#executor
      .selectFrom('configurations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }

  /**
   * Locks the row for changes that depend on its state; waits for transactions that are about to use it (`findMany`).
   */
  lock(workspaceId: string, kind: ConfigurationKind, id: string): Promise<ConfigurationRecord | undefined> {
    return this.#one(workspaceId, kind, id).forUpdate().executeTakeFirst();
  }

  #one(workspaceId: string, kind: ConfigurationKind, id: string) {
    return this.#executor
      .selectFrom('configurations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', kind)
      .where('id', '=', id);
  }

  async list(
    workspaceId: string,
    kind: ConfigurationKind,
    filter: { includeDeleted?: boolean | undefined },
    query: ListQuery,
  ): Promise<ListPage<ConfigurationRecord>> {
    let base = this.#executor
      .selectFrom('configurations')
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', kind);
    if (filter.includeDeleted !== true) base = base.where('deleted_at', 'is', null);
    return fetchPage(base.selectAll(), query);
  }

  update(
    workspaceId: string,
    id: string,
    changes: Updateable<ConfigurationsTable>,
  ): Promise<ConfigurationRecord | undefined> {
    return this.#executor
      .updateTable('configurations')
      .set({ ...changes, modified_at: sql<Date>`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  async erase(workspaceId: string, id: string): Promise<void> {
    await this.#executor
      .deleteFrom('configurations')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
  }

  /**
   * Clears the default flag before a new default is set. An advisory lock serializes this per role and workspace, since
   * concurrent changes would violate the unique index.
   */
  async clearDefault(workspaceId: string, role: ConfigurationRole): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`default ${workspaceId} ${role}`}, 0))`.execute(
      this.#executor,
    );
    await this.#executor
      .updateTable('configurations')
      .set({ is_default: false, modified_at: sql<Date>`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('role', '=', role)
      .where('is_default', '=', true)
      .execute();
  }

  /** Returns the workspace's configurations with these ids that are not deleted, locked against deletion. */
  findMany(workspaceId: string, ids: readonly string[]): Promise<ConfigurationRecord[]> {
    return this.#executor
      .selectFrom('configurations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids.length === 0 ? ['00000000-0000-0000-0000-000000000000'] : [...ids])
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .forShare()
      .execute();
  }

  /** Returns the default of each role. */
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
