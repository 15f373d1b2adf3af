import { sql } from 'kysely';
import type { ChatSharing, WorkspaceRecord } from '../../database/tables.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';

export class WorkspaceRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(id: string, name: string): Promise<WorkspaceRecord> {
    return this.#executor.insertInto('workspaces').values({ id, name }).returningAll().executeTakeFirstOrThrow();
  }

  findById(id: string): Promise<WorkspaceRecord | undefined> {
    return this.#executor
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
  }

  list(query: ListQuery): Promise<ListPage<WorkspaceRecord>> {
    const base = this.#executor.selectFrom('workspaces').where('deleted_at', 'is', null);
    return fetchPage(base.selectAll(), query);
  }

  update(id: string, changes: { name?: string; chat_sharing?: ChatSharing }): Promise<WorkspaceRecord | undefined> {
    return this.#executor
      .updateTable('workspaces')
      .set({ ...changes, modified_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
  }

  markDeleted(id: string): Promise<WorkspaceRecord | undefined> {
    return this.#executor
      .updateTable('workspaces')
      .set({ deleted_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
  }
}
