/**
 * Creates deliveries from events (transactional outbox). Events become visible when their transaction commits, and are
 * marked in the transaction that inserts their deliveries: none is lost, duplicated, or sent for a change that was
 * rolled back. Any process may run it.
 *
 * Workers commit asynchronously; this transaction commits synchronously. When it is on disk, so is everything committed
 * before it, and no receiver learns of a change that a crash could undo.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database, WebhookRecord } from '../../database/tables.ts';
import { newId } from '../../shared/uuid.ts';

const EVENTS_PER_ROUND = 500;

interface PendingEvent {
  id: string;
  workspace_id: string;
  type: string;
}
type Subscriber = Pick<WebhookRecord, 'id' | 'workspace_id' | 'events' | 'host'>;

export class OutboxDispatch {
  readonly #database: Kysely<Database>;

  /** The connections must commit synchronously. */
  constructor(deps: { database: Kysely<Database> }) {
    this.#database = deps.database;
  }

  /** Dispatches the oldest events and returns whether there may be more. Events without a subscriber are deleted. */
  run(): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const events = await transaction
        .selectFrom('events')
        .select(['id', 'workspace_id', 'type'])
        .where('dispatched_at', 'is', null)
        .orderBy('created_at')
        .limit(EVENTS_PER_ROUND)
        .forUpdate()
        .skipLocked()
        .execute();
      if (events.length === 0) return false;
      const wanted = await this.#deliver(transaction, events);
      const unwanted = events.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
      if (wanted.size > 0) {
        await sql`update events set dispatched_at = now() where id = any(${[...wanted]}::uuid[])`.execute(transaction);
      }
      if (unwanted.length > 0) {
        await sql`delete from events where id = any(${unwanted}::uuid[])`.execute(transaction);
      }
      return events.length === EVENTS_PER_ROUND;
    });
  }

  /** Inserts deliveries and returns the ids of events with a subscriber. */
  async #deliver(transaction: Transaction<Database>, events: readonly PendingEvent[]): Promise<Set<string>> {
    const subscribers = await this.#subscribers(transaction, events);
    const deliveries = events.flatMap((event) =>
      subscribers
        .filter((webhook) => webhook.workspace_id === event.workspace_id && webhook.events.includes(event.type))
        .map((webhook) => ({
          id: newId(),
          workspace_id: event.workspace_id,
          webhook_id: webhook.id,
          event_id: event.id,
          event_type: event.type,
          host: webhook.host,
        })),
    );
    if (deliveries.length > 0) {
      await sql`
        insert into deliveries (id, workspace_id, webhook_id, event_id, event_type, host, next_attempt_at)
        select id, workspace_id, webhook_id, event_id, event_type, host, now()
        from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as made (
          id uuid, workspace_id uuid, webhook_id uuid, event_id uuid, event_type text, host text)
        on conflict (event_id, webhook_id) do nothing`.execute(transaction);
    }
    return new Set(deliveries.map((delivery) => delivery.event_id));
  }

  /** Returns the subscribers, locked against changes until their deliveries are inserted and can be cancelled. */
  #subscribers(transaction: Transaction<Database>, events: readonly PendingEvent[]): Promise<Subscriber[]> {
    const workspaces = [...new Set(events.map((event) => event.workspace_id))];
    return transaction
      .selectFrom('webhooks')
      .innerJoin('workspaces', 'workspaces.id', 'webhooks.workspace_id')
      .select(['webhooks.id', 'webhooks.workspace_id', 'webhooks.events', 'webhooks.host'])
      .where('webhooks.workspace_id', '=', (eb) => eb.fn.any(eb.val(workspaces)))
      .where('webhooks.status', '=', 'active')
      .where('workspaces.deleted_at', 'is', null)
      .forKeyShare(['webhooks'])
      .execute();
  }
}
