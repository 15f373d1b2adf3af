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

  /** Also a deleted one. */
  findById(workspaceId: string, kind: ConfigurationKind, id: string): Promise<ConfigurationRecord | undefined> {
    return this.#one(workspaceId, kind, id).executeTakeFirst();
  }

  /** Of any kind, also a deleted one; for what is known to be there. */
  getById(workspaceId: string, id: string): Promise<ConfigurationRecord> {
    return this.#executor
      .selectFrom('configurations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }

  /** Row lock for changes that depend on the present state; waits for those who are about to use it (`findMany`). */
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
   * Makes place for a new default. The advisory lock queues those who do this for the same role of a workspace, which
   * would else meet in the unique index.
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

  /** The workspace's configurations of the given ids that are not deleted, kept from being deleted meanwhile. */
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
