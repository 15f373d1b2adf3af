/**
 * Claims due deliveries for one process. A claim sets the next attempt to the end of a lease and adds a fencing token:
 * other processes skip the delivery, and it becomes due again if this process dies. Only the holder of the token
 * settles it.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { TEST_EVENT, type ClaimedDelivery } from './types.ts';

/** Duration of a lease, in ms: longer than an attempt (15 s) and storing its result, and less than 30 s. */
const LEASE_MS = 25_000;

export interface ClaimRequest {
  /** Maximum number of deliveries. */
  limit: number;
  /** Number of further deliveries for each busy host; every other host has `slotsForOthers`. */
  slots: Readonly<Record<string, number>>;
  slotsForOthers: number;
}

export interface DeliveryClaimsDeps {
  database: Kysely<Database>;
  leaseMs?: number;
}

export class DeliveryClaims {
  readonly #database: Kysely<Database>;
  readonly #leaseMs: number;

  constructor(deps: DeliveryClaimsDeps) {
    this.#database = deps.database;
    this.#leaseMs = deps.leaseMs ?? LEASE_MS;
  }

  /**
   * Claims deliveries host by host, each up to its share, so that a host with a long queue does not block others. Hosts
   * are found by a loose index scan: one probe per host with a queue.
   */
  async take({ limit, slots, slotsForOthers }: ClaimRequest): Promise<ClaimedDelivery[]> {
    const { rows } = await sql<ClaimedDelivery>`
      with recursive hosts (host) as (
        (select host from deliveries where status = 'pending' order by host limit 1)
        union all
        select (select host from deliveries
                where status = 'pending' and deliveries.host > hosts.host order by host limit 1)
        from hosts where hosts.host is not null
      ), due as (
        select next.id from hosts cross join lateral (
          select deliveries.id from deliveries
          join webhooks on webhooks.id = deliveries.webhook_id
            and (webhooks.status = 'active' or deliveries.event_type = ${TEST_EVENT})
          join workspaces on workspaces.id = deliveries.workspace_id and workspaces.deleted_at is null
          where deliveries.status = 'pending' and deliveries.host = hosts.host
            and deliveries.next_attempt_at <= now()
          order by deliveries.next_attempt_at
          limit coalesce((${JSON.stringify(slots)}::jsonb ->> hosts.host)::int, ${slotsForOthers}::int)
          for update of deliveries skip locked
        ) next limit ${limit}::int
      ), claimed as (
        update deliveries set claim_token = ${randomUUID()}::uuid,
          next_attempt_at = now() + ${this.#leaseMs}::int * interval '1 millisecond'
        from due where deliveries.id = due.id
        returning deliveries.*
      )
      select claimed.id, claimed.claim_token, claimed.webhook_id, claimed.workspace_id, claimed.event_id,
        claimed.event_type, claimed.host, claimed.retries, events.data as event_data,
        events.created_at as event_created_at, webhooks.url, webhooks.secret, webhooks.previous_secrets
      from claimed
      join events on events.id = claimed.event_id
      join webhooks on webhooks.id = claimed.webhook_id`.execute(this.#database);
    return rows;
  }

  /** Releases deliveries that were not sent: they are due at once, and the attempt does not count. */
  async release(claimed: readonly Pick<ClaimedDelivery, 'id' | 'claim_token'>[]): Promise<void> {
    await sql`
      update deliveries set claim_token = null, next_attempt_at = now()
      from jsonb_to_recordset(${JSON.stringify(claimed)}::jsonb) as mine (id uuid, claim_token uuid)
      where deliveries.id = mine.id and deliveries.claim_token = mine.claim_token and status = 'pending'`.execute(
      this.#database,
    );
  }

  /** Releases all claims. Call it only when no other process uses the database: their holders are dead. */
  async reclaimAll(): Promise<void> {
    await sql`
      update deliveries set claim_token = null, next_attempt_at = now()
      where status = 'pending' and claim_token is not null`.execute(this.#database);
  }
}
