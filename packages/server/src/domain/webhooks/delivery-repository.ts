import { sql } from 'kysely';
import { fetchPage } from '../../database/fetch-page.ts';
import type { DeliveryRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { TEST_EVENT, type DeliveryFilter, type RedeliveryFilter } from './types.ts';

export class DeliveryRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  findById(workspaceId: string, deliveryId: string): Promise<DeliveryRecord | undefined> {
    return this.#executor
      .selectFrom('deliveries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
  }

  list(
    workspaceId: string,
    { webhookId, status, event }: DeliveryFilter,
    query: ListQuery,
  ): Promise<ListPage<DeliveryRecord>> {
    let rows = this.#executor.selectFrom('deliveries').selectAll().where('workspace_id', '=', workspaceId);
    if (webhookId !== undefined) rows = rows.where('webhook_id', '=', webhookId);
    if (status !== undefined) rows = rows.where('status', '=', status);
    if (event !== undefined) rows = rows.where('event_type', '=', event);
    return fetchPage(rows, query);
  }

  /** Returns the event of a delivery: the source of its body. */
  findEvent(eventId: string): Promise<{ created_at: Date; data: Record<string, unknown> } | undefined> {
    return this.#executor
      .selectFrom('events')
      .select(['created_at', 'data'])
      .where('id', '=', eventId)
      .executeTakeFirst();
  }

  /**
   * Restarts the schedule of the failed deliveries to active webhooks, due at once, and returns their number. Examples
   * that a client sent by hand are left out.
   */
  async queueFailed(workspaceId: string, { webhookId, event, since }: RedeliveryFilter): Promise<number> {
    let update = this.#executor
      .updateTable('deliveries')
      .from('webhooks')
      .set((eb) => ({
        status: 'pending',
        retries: 0,
        host: eb.ref('webhooks.host'),
        next_attempt_at: sql<Date>`now()`,
        finished_at: null,
      }))
      .whereRef('webhooks.id', '=', 'deliveries.webhook_id')
      .where('webhooks.status', '=', 'active')
      .where('deliveries.workspace_id', '=', workspaceId)
      .where('deliveries.status', '=', 'failed')
      .where('deliveries.event_type', '!=', TEST_EVENT);
    if (webhookId !== undefined) update = update.where('deliveries.webhook_id', '=', webhookId);
    if (event !== undefined) update = update.where('deliveries.event_type', '=', event);
    if (since !== undefined) update = update.where('deliveries.created_at', '>=', since);
    return Number((await update.executeTakeFirst()).numUpdatedRows);
  }

  /** Restarts the schedule of a delivery, due at once. A delivery that is being sent is left to that attempt. */
  async queueAgain(workspaceId: string, deliveryId: string, host: string): Promise<void> {
    await this.#executor
      .updateTable('deliveries')
      .set({ status: 'pending', retries: 0, host, next_attempt_at: sql<Date>`now()`, finished_at: null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', deliveryId)
      .where('claim_token', 'is', null)
      .execute();
  }

  /** Cancels pending deliveries, also claimed ones, whose result is then dropped. */
  async cancelPending(workspaceId: string, webhookId: string, reason: string): Promise<void> {
    await this.#executor
      .updateTable('deliveries')
      .set({
        status: 'cancelled',
        error: reason,
        next_attempt_at: null,
        claim_token: null,
        finished_at: sql<Date>`now()`,
      })
      .where('workspace_id', '=', workspaceId)
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .execute();
  }

  /** Moves pending deliveries to the host of the webhook's new URL. */
  async moveHost(workspaceId: string, webhookId: string, host: string): Promise<void> {
    await this.#executor
      .updateTable('deliveries')
      .set({ host })
      .where('workspace_id', '=', workspaceId)
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .execute();
  }
}

/** Counts pending deliveries of all workspaces, for metrics. */
export async function countPending(executor: Executor): Promise<{ value: number }[]> {
  const { count } = await executor
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return [{ value: Number(count) }];
}
