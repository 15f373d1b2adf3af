/** Budgets of requests that several processes share: token buckets, one row each. */
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

export interface RateLease {
  /** Maximum number of tokens in the bucket. */
  capacity: number;
  perSecond: number;
  /** Number of tokens to take; fewer are granted if fewer are there. */
  tokens: number;
}

export interface GrantedLease {
  granted: number;
  /** Tokens that are left in the bucket, with fractions. */
  left: number;
}

/** Time after which an unused budget is full again for every limit of the API, and its row can be removed. */
const IDLE = "interval '1 hour'";

export class RateBudgets {
  readonly #database: Kysely<Database>;

  constructor({ database }: { database: Kysely<Database> }) {
    this.#database = database;
  }

  /** Takes whole tokens in one statement; PostgreSQL's clock counts, so that the processes' clocks may differ. */
  async lease(name: string, { capacity, perSecond, tokens }: RateLease): Promise<GrantedLease> {
    const available = sql<number>`least(${capacity}, b.tokens + ${perSecond} *
      greatest(0, extract(epoch from clock_timestamp() - b.refilled_at)::float8))`;
    const granted = sql<number>`least(${tokens}, floor(${available}))`;
    const first = Math.min(tokens, Math.floor(capacity));
    const { rows } = await sql<GrantedLease>`
      insert into rate_budgets as b (name, tokens, granted) values (${name}, ${capacity - first}, ${first})
      on conflict (name) do update
        set tokens = ${available} - ${granted}, granted = ${granted}, refilled_at = clock_timestamp()
      returning granted, tokens as left`.execute(this.#database);
    return rows[0] ?? { granted: 0, left: 0 };
  }

  async removeIdle(): Promise<void> {
    await sql`delete from rate_budgets where refilled_at < clock_timestamp() - ${sql.raw(IDLE)}`.execute(
      this.#database,
    );
    await sql`delete from call_slots where expires_at < clock_timestamp()`.execute(this.#database);
  }
}
