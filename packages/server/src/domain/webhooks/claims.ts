/**
 * Takes due deliveries for one process. A claim moves the delivery's next attempt to the end of a lease and gives it a
 * token: others skip it, and if this process dies it is due again by itself. Only who holds the token settles it.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { TEST_EVENT, type ClaimedDelivery } from './types.ts';

/** Longer than an attempt (15 s) and the writing of its result. */
const LEASE_MS = 45_000;

export interface ClaimRequest {
  /** Deliveries at most. */
  limit: number;
  /** For hosts that are being sent to, how many more each can take; any other host takes `slotsForOthers`. */
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
   * Host by host, each with its own share, so that a host with a long queue leaves room for the others. The hosts are
   * found by skipping through the index: one probe for each that has anything queued.
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

  /** Gives back what was not sent: due at once, its attempt not counted. */
  async release(claimed: readonly Pick<ClaimedDelivery, 'id' | 'claim_token'>[]): Promise<void> {
    await sql`
      update deliveries set claim_token = null, next_attempt_at = now()
      from jsonb_to_recordset(${JSON.stringify(claimed)}::jsonb) as mine (id uuid, claim_token uuid)
      where deliveries.id = mine.id and deliveries.claim_token = mine.claim_token and status = 'pending'`.execute(
      this.#database,
    );
  }

  /** For a process that is alone on its database: whatever is claimed, nobody is sending it. */
  async reclaimAll(): Promise<void> {
    await sql`
      update deliveries set claim_token = null, next_attempt_at = now()
      where status = 'pending' and claim_token is not null`.execute(this.#database);
  }
}
