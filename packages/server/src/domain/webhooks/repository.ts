import type { Insertable, Updateable } from 'kysely';
import { fetchPage } from '../../database/fetch-page.ts';
import type { WebhookRecord, WebhooksTable } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';

export class WebhookRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(webhook: Insertable<WebhooksTable>): Promise<WebhookRecord> {
    return this.#executor.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow();
  }

  findById(workspaceId: string, webhookId: string): Promise<WebhookRecord | undefined> {
    return this.#one(workspaceId, webhookId).executeTakeFirst();
  }

  /** Locks the row: no delivery is queued (`OutboxDispatch`) while the lock is held. */
  lock(workspaceId: string, webhookId: string): Promise<WebhookRecord | undefined> {
    return this.#one(workspaceId, webhookId).forUpdate().executeTakeFirst();
  }

  /** Locks the webhooks of a workspace, in the order of their ids. */
  async lockAll(workspaceId: string): Promise<void> {
    await this.#executor
      .selectFrom('webhooks')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  #one(workspaceId: string, webhookId: string) {
    return this.#executor
      .selectFrom('webhooks')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', webhookId);
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<WebhookRecord>> {
    return fetchPage(this.#executor.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId), query);
  }

  update(
    workspaceId: string,
    webhookId: string,
    changes: Updateable<WebhooksTable>,
  ): Promise<WebhookRecord | undefined> {
    return this.#executor
      .updateTable('webhooks')
      .set(changes)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', webhookId)
      .returningAll()
      .executeTakeFirst();
  }

  async delete(workspaceId: string, webhookId: string): Promise<void> {
    await this.#executor
      .deleteFrom('webhooks')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', webhookId)
      .execute();
  }
}
