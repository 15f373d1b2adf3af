import { sql } from 'kysely';
import type { WorkspaceRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { toPage, type ListPage, type ListQuery } from '../../shared/list.ts';

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

  async list(query: ListQuery): Promise<ListPage<WorkspaceRecord>> {
    const base = this.#executor.selectFrom('workspaces').where('deleted_at', 'is', null);
    const { total } = await base.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
    let page = base
      .selectAll()
      .orderBy('id', 'desc')
      .limit(query.limit + 1);
    if (query.after !== undefined) page = page.where('id', '<', query.after);
    return toPage(await page.execute(), query.limit, Number(total));
  }

  rename(id: string, name: string): Promise<WorkspaceRecord | undefined> {
    return this.#executor
      .updateTable('workspaces')
      .set({ name, modified_at: sql<Date>`now()` })
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
