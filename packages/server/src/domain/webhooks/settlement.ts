/**
 * Settles deliveries after an attempt, many in one transaction: delivered, due again, or failed; and updates the health
 * of their webhooks. Results whose claim was lost (cancelled, or claimed by another process) are dropped.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database, DeliveryStatus } from '../../database/tables.ts';
import type { AttemptResult } from '../../webhooks/sender.ts';
import { DeliveryRepository } from './delivery-repository.ts';
import { WebhookRepository } from './repository.ts';
import { retryDelayMs } from './schedule.ts';
import { TEST_EVENT, type ClaimedDelivery } from './types.ts';

/** Time of continuous failure, in ms, after which a webhook is disabled. */
const GIVE_UP_MS = 5 * 24 * 60 * 60 * 1000;
const HISTORY_LENGTH = 20;
const GONE = 410;

export interface SettledAttempt {
  delivery: Pick<ClaimedDelivery, 'id' | 'claim_token' | 'webhook_id' | 'workspace_id' | 'event_type' | 'retries'>;
  result: AttemptResult;
}

interface Verdict {
  id: string;
  claim_token: string;
  webhook_id: string;
  status: DeliveryStatus;
  delay_ms: number | null;
  at: string;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
  duration_ms: number;
}

export interface SettlementDeps {
  database: Kysely<Database>;
  random: () => number;
}

export class DeliverySettlement {
  readonly #deps: SettlementDeps;

  constructor(deps: SettlementDeps) {
    this.#deps = deps;
  }

  async settle(attempts: readonly SettledAttempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const verdicts = attempts.map((attempt) => this.#verdict(attempt));
    await this.#deps.database.transaction().execute(async (transaction) => {
      await lockWebhooks(transaction, verdicts);
      await storeVerdicts(transaction, verdicts);
      await storeHealth(transaction, attempts);
    });
    for (const { workspaceId, webhookId, reason } of await this.#givenUp(attempts)) {
      await this.#disable(workspaceId, webhookId, reason);
    }
  }

  #verdict({ delivery, result }: SettledAttempt): Verdict {
    const { statusCode, error, responseBody, durationMs, retryAfterMs } = result;
    const isLast = statusCode === GONE || delivery.event_type === TEST_EVENT;
    const delay = error === null || isLast ? null : retryDelayMs(delivery.retries, retryAfterMs, this.#deps.random());
    return {
      id: delivery.id,
      claim_token: delivery.claim_token,
      webhook_id: delivery.webhook_id,
      status: error === null ? 'delivered' : delay === null ? 'failed' : 'pending',
      delay_ms: delay,
      at: result.at.toISOString(),
      status_code: statusCode,
      error,
      response_body: responseBody,
      duration_ms: durationMs,
    };
  }

  /** Returns webhooks to disable: after a 410, or after failing for too long. Test deliveries do not count. */
  async #givenUp(attempts: readonly SettledAttempt[]) {
    const failed = attempts.filter(
      ({ delivery, result }) => result.error !== null && delivery.event_type !== TEST_EVENT,
    );
    if (failed.length === 0) return [];
    const since = new Date(Date.now() - GIVE_UP_MS);
    const failing = await this.#deps.database
      .selectFrom('webhooks')
      .select(['id', 'workspace_id', 'failing_since'])
      .where('id', '=', (eb) => eb.fn.any(eb.val(failed.map(({ delivery }) => delivery.webhook_id))))
      .where('status', '=', 'active')
      .execute();
    const gone = new Set(
      failed.filter(({ result }) => result.statusCode === GONE).map((each) => each.delivery.webhook_id),
    );
    return failing.flatMap(({ id, workspace_id: workspaceId, failing_since: failingSince }) => {
      if (gone.has(id)) return [{ workspaceId, webhookId: id, reason: 'The receiver answered 410 Gone' }];
      const tooLong = failingSince !== null && failingSince <= since;
      const reason = `Nothing but failures since ${failingSince?.toISOString()}`;
      return tooLong ? [{ workspaceId, webhookId: id, reason }] : [];
    });
  }

  #disable(workspaceId: string, webhookId: string, reason: string): Promise<void> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const webhooks = new WebhookRepository(transaction);
      const webhook = await webhooks.lock(workspaceId, webhookId);
      if (webhook?.status !== 'active') return;
      await webhooks.update(workspaceId, webhookId, { status: 'disabled', disabled_reason: reason });
      await new DeliveryRepository(transaction).cancelPending(workspaceId, webhookId, 'The webhook was disabled');
    });
  }
}

/** Locks webhooks in order of id, before their deliveries: every transaction that changes both uses this order. */
async function lockWebhooks(transaction: Transaction<Database>, verdicts: readonly Verdict[]): Promise<void> {
  const ids = [...new Set(verdicts.map((verdict) => verdict.webhook_id))];
  await sql`select from webhooks where id = any(${ids}::uuid[]) order by id for no key update`.execute(transaction);
}

async function storeVerdicts(transaction: Transaction<Database>, verdicts: readonly Verdict[]): Promise<void> {
  await sql`
    update deliveries set
      status = made.status, claim_token = null,
      attempts = deliveries.attempts + 1,
      retries = deliveries.retries + case when made.status = 'pending' then 1 else 0 end,
      next_attempt_at = now() + made.delay_ms * interval '1 millisecond',
      finished_at = case when made.status = 'pending' then null else now() end,
      last_attempt_at = made.at_time, status_code = made.status_code, error = made.error,
      response_body = made.response_body, duration_ms = made.duration_ms,
      history = case when jsonb_array_length(history) < ${HISTORY_LENGTH}::int then history else history - 0 end
        || jsonb_build_object('at', made.at_text, 'statusCode', made.status_code, 'error', made.error,
          'durationMs', made.duration_ms)
    from (select *, at::timestamptz as at_time, at as at_text from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb)
      as verdict (id uuid, claim_token uuid, status text, delay_ms float8, at text, status_code int, error text,
        response_body text, duration_ms int)) as made
    where deliveries.id = made.id and deliveries.claim_token = made.claim_token and deliveries.status = 'pending'`.execute(
    transaction,
  );
}

interface Health {
  id: string;
  at: string;
  status_code: number | null;
  succeeded: boolean;
  failed: boolean;
}

/** Updates each webhook once, regardless of the number of its deliveries. */
async function storeHealth(transaction: Transaction<Database>, attempts: readonly SettledAttempt[]): Promise<void> {
  const health = new Map<string, Health>();
  for (const { delivery, result } of attempts) {
    const before = health.get(delivery.webhook_id);
    const counts = delivery.event_type !== TEST_EVENT;
    health.set(delivery.webhook_id, {
      id: delivery.webhook_id,
      at: result.at.toISOString(),
      status_code: result.statusCode,
      succeeded: before?.succeeded === true || (counts && result.error === null),
      failed: before?.failed === true || (counts && result.error !== null),
    });
  }
  await sql`
    update webhooks set last_delivery_at = made.at, last_status_code = made.status_code,
      failing_since = case when made.succeeded then null when made.failed then coalesce(failing_since, made.at)
        else failing_since end
    from jsonb_to_recordset(${JSON.stringify([...health.values()])}::jsonb) as made (
      id uuid, at timestamptz, status_code int, succeeded boolean, failed boolean)
    where webhooks.id = made.id`.execute(transaction);
}
