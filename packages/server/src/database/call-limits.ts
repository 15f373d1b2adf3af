/** The limits of calls to providers over all processes: calls a minute and concurrent calls of a configuration. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { SharedCallLimits } from '@quire/models/remote/request-gate';
import type { RateBudgets } from './rate-budgets.ts';
import type { Database } from './tables.ts';

/** Time after which the slot of a dead process is free; a running call renews it. */
const SLOT_MS = 60_000;
const RENEW_MS = 20_000;

export interface CallLimitsOptions {
  database: Kysely<Database>;
  budgets: RateBudgets;
  /** Receives failures to renew or free a slot, which then expires by itself. */
  onError: (error: unknown) => void;
}

export class CallLimits implements SharedCallLimits {
  readonly #options: CallLimitsOptions;

  constructor(options: CallLimitsOptions) {
    this.#options = options;
  }

  /** At most `perMinute` calls start in any minute: a burst of a tenth, and the rest evenly. */
  async takeCall(configurationId: string, perMinute: number): Promise<number> {
    const capacity = Math.max(1, Math.floor(perMinute / 10));
    const perSecond = Math.max(1, perMinute - capacity) / 60;
    const lease = { capacity, perSecond, tokens: 1 };
    const { granted, left } = await this.#options.budgets.lease(`calls:${configurationId}`, lease);
    return granted >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
  }

  async takeSlot(configurationId: string, max: number): Promise<(() => void) | null> {
    const { database, onError } = this.#options;
    const token = randomUUID();
    const expiry = sql`clock_timestamp() + ${SLOT_MS} * interval '1 millisecond'`;
    const { rows } = await sql<{ slot: number }>`
      insert into call_slots as s (name, slot, token, expires_at)
      select ${configurationId}, free, ${token}, ${expiry} from generate_series(1, ${max}::int) free
      where not exists (select from call_slots t
        where t.name = ${configurationId} and t.slot = free and t.expires_at > clock_timestamp())
      order by random() limit 1
      on conflict (name, slot) do update set token = excluded.token, expires_at = excluded.expires_at
        where s.expires_at <= clock_timestamp()
      returning slot`.execute(database);
    if (rows.length === 0) return null;
    const renewal = setInterval(() => {
      sql`update call_slots set expires_at = ${expiry} where token = ${token}`.execute(database).catch(onError);
    }, RENEW_MS);
    renewal.unref();
    return () => {
      clearInterval(renewal);
      sql`delete from call_slots where token = ${token}`.execute(database).catch(onError);
    };
  }
}
