/** Removes events and delivery logs after 30 days, except pending deliveries. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';

const RETENTION = '30 days';
const EVENTS_PER_DELETE = 5000;

export class WebhookRetention {
  readonly #database: Kysely<Database>;

  constructor(deps: { database: Kysely<Database> }) {
    this.#database = deps.database;
  }

  /** Removes old events in small batches and returns their number. */
  async run(): Promise<number> {
    for (let count = 0; ;) {
      const { numAffectedRows } = await sql`
        delete from events where id in (
          select id from events
          where dispatched_at is not null and created_at < now() - ${RETENTION}::interval and not exists (
            select from deliveries where deliveries.event_id = events.id and status = 'pending')
          order by created_at limit ${EVENTS_PER_DELETE}
          for update skip locked)`.execute(this.#database);
      const removed = Number(numAffectedRows ?? 0n);
      count += removed;
      if (removed < EVENTS_PER_DELETE) return count;
    }
  }
}
