/** The log of deliveries, and deliveries on request: tests and redeliveries. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { Database, DeliveryRecord, WebhookRecord } from '../../database/tables.ts';
import { conflict, notFound, valueError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { newId } from '../../shared/uuid.ts';
import { bodyOf } from './body.ts';
import { DeliveryRepository } from './delivery-repository.ts';
import { WebhookRepository } from './repository.ts';
import type { DeliverySettlement } from './settlement.ts';
import {
  DELIVERIES_TOPIC,
  TEST_EVENT,
  type ClaimedDelivery,
  type DeliveryFilter,
  type RedeliveryFilter,
} from './types.ts';
import type { DeliveryAttempts } from './attempts.ts';

/** Lease of a test, in ms: longer than its attempt. If this process dies, a worker sends it afterwards. */
const TEST_LEASE_MS = 60_000;

export interface DeliveryServiceDeps {
  database: Kysely<Database>;
  notifications: Notifications;
  attempts: DeliveryAttempts;
  settlement: DeliverySettlement;
}

export class DeliveryService {
  readonly #deps: DeliveryServiceDeps;
  readonly #deliveries: DeliveryRepository;

  constructor(deps: DeliveryServiceDeps) {
    this.#deps = deps;
    this.#deliveries = new DeliveryRepository(deps.database);
  }

  findById(workspaceId: string, deliveryId: string): Promise<DeliveryRecord | undefined> {
    return this.#deliveries.findById(workspaceId, deliveryId);
  }

  list(workspaceId: string, filter: DeliveryFilter, query: ListQuery): Promise<ListPage<DeliveryRecord>> {
    return this.#deliveries.list(workspaceId, filter, query);
  }

  /** Sends a signed example at once, regardless of the subscribed events, and returns the result. It is not retried. */
  async test(workspaceId: string, webhookId: string): Promise<DeliveryRecord> {
    const claimed = await this.#insertTest(workspaceId, webhookId);
    // The result is stored also if the client disconnects.
    const result = await this.#deps.attempts.make(claimed, new AbortController().signal);
    await this.#deps.settlement.settle([{ delivery: claimed, result }]);
    return this.#get(workspaceId, claimed.id);
  }

  #insertTest(workspaceId: string, webhookId: string): Promise<ClaimedDelivery> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const webhook = await new WebhookRepository(transaction).findById(workspaceId, webhookId);
      if (webhook === undefined) throw notFound();
      const event = await transaction
        .insertInto('events')
        .values({
          id: newId(),
          workspace_id: workspaceId,
          type: TEST_EVENT,
          data: JSON.stringify({ webhookId, name: webhook.name }),
          dispatched_at: sql<Date>`now()`,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const claim_token = randomUUID();
      const delivery = await transaction
        .insertInto('deliveries')
        .values({
          id: newId(),
          workspace_id: workspaceId,
          webhook_id: webhookId,
          event_id: event.id,
          event_type: TEST_EVENT,
          host: webhook.host,
          claim_token,
          next_attempt_at: new Date(Date.now() + TEST_LEASE_MS),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { url, secret, previous_secrets } = webhook;
      const told = { event_data: event.data, event_created_at: event.created_at };
      return { ...delivery, ...told, claim_token, url, secret, previous_secrets };
    });
  }

  /** Sends a delivery again, with the same `webhook-id`; a pending one becomes due at once. */
  async redeliver(workspaceId: string, deliveryId: string): Promise<DeliveryRecord> {
    await this.#deps.database.transaction().execute(async (transaction) => {
      const deliveries = new DeliveryRepository(transaction);
      const delivery = await deliveries.findById(workspaceId, deliveryId);
      if (delivery === undefined) throw notFound();
      const webhook = await lockedWebhook(transaction, workspaceId, delivery.webhook_id);
      await deliveries.queueAgain(workspaceId, deliveryId, webhook.host);
      await this.#deps.notifications.publish(transaction, DELIVERIES_TOPIC);
    });
    return this.#get(workspaceId, deliveryId);
  }

  /** Sends failed deliveries again, each with the same `webhook-id`, and returns their number. */
  redeliverFailed(workspaceId: string, filter: RedeliveryFilter): Promise<number> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const webhooks = new WebhookRepository(transaction);
      await webhooks.lockAll(workspaceId);
      const { webhookId } = filter;
      if (webhookId !== undefined) {
        const webhook = await webhooks.findById(workspaceId, webhookId);
        if (webhook === undefined) throw valueError(['body', 'webhookId'], 'there is no such webhook', webhookId);
        checkActive(webhook);
      }
      const count = await new DeliveryRepository(transaction).queueFailed(workspaceId, filter);
      if (count > 0) await this.#deps.notifications.publish(transaction, DELIVERIES_TOPIC);
      return count;
    });
  }

  /** Returns the body that the attempts of a delivery send. */
  async bodyOf(delivery: DeliveryRecord): Promise<string> {
    const event = await this.#deliveries.findEvent(delivery.event_id);
    // The retention removes an event together with its deliveries.
    if (event === undefined) throw notFound();
    return bodyOf({ ...delivery, event_data: event.data, event_created_at: event.created_at });
  }

  async #get(workspaceId: string, deliveryId: string): Promise<DeliveryRecord> {
    const record = await this.#deliveries.findById(workspaceId, deliveryId);
    if (record === undefined) throw notFound();
    return record;
  }
}

async function lockedWebhook(
  database: Kysely<Database>,
  workspaceId: string,
  webhookId: string,
): Promise<WebhookRecord> {
  const webhook = await new WebhookRepository(database).lock(workspaceId, webhookId);
  if (webhook === undefined) throw conflict('Its webhook is deleted', { webhookId });
  checkActive(webhook);
  return webhook;
}

function checkActive({ id, status }: WebhookRecord): void {
  if (status === 'active') return;
  throw conflict('Its webhook is disabled: set its status to active first', { webhookId: id, status });
}
