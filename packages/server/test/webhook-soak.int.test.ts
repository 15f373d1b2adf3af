// large: starts and kills whole services
/**
 * Two processes that are killed and restarted send events to receivers that fail three times in ten. Every committed
 * event arrives with a valid signature and after its commit; events of rolled back transactions do not arrive.
 * `QUIRE_TEST_SOAK_EVENTS` sets how many (10,000 for the long run).
 */
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveSecrets } from '../src/config/secrets.ts';
import { recordEvent } from '../src/domain/events/outbox.ts';
import { secretPlace } from '../src/domain/webhooks/signing-secrets.ts';
import { SecretBox } from '../src/shared/secret-box.ts';
import { newId } from '../src/shared/uuid.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { spawnProcess, type SpawnedProcess } from './processes/spawn.ts';
import { startReceiver, type Receiver } from '@quire/outbound/testing/receiver';

const EVENTS = Number(process.env['QUIRE_TEST_SOAK_EVENTS'] ?? 400);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const FAILING = 0.3;
/** Maximum number of failures of one event, below the ten attempts after which delivery ends. */
const MAX_FAILURES = 6;

let database: TestDatabase;
let receiver: Receiver;
/** Numbers of the committed events. */
const committed = new Set<number>();
/** Arrival times of the events that were answered with 200, by number. */
const arrived = new Map<number, string>();
const refused = new Map<number, number>();
const faults: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver(({ headers, body }, response) => {
    const payload = verified(headers as Record<string, string>, body);
    if (payload === undefined) {
      faults.push(`signed wrongly: ${body}`);
    } else {
      const { number, isRolledBack } = payload.data;
      if (isRolledBack || !committed.has(number)) faults.push(`told before its commit: ${body}`);
      if (arrived.has(number) && arrived.get(number) !== headers['webhook-id']) faults.push(`another id: ${body}`);
    }
    const number = payload?.data.number ?? 0;
    const failures = refused.get(number) ?? 0;
    if (Math.random() < FAILING && failures < MAX_FAILURES) {
      refused.set(number, failures + 1);
      response.writeHead(503).end();
    } else {
      if (payload !== undefined) arrived.set(payload.data.number, String(headers['webhook-id']));
      response.writeHead(200).end('thanks');
    }
  });
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

interface Payload {
  data: { number: number; isRolledBack: boolean };
}

function verified(headers: Record<string, string>, body: string): Payload | undefined {
  try {
    return new Webhook(SECRET).verify(body, headers) as Payload;
  } catch {
    return undefined;
  }
}

async function subscribe(): Promise<string> {
  const [workspaceId, id] = [newId(), newId()];
  await database.db.insertInto('workspaces').values({ id: workspaceId, name: 'soak' }).execute();
  const box = new SecretBox(deriveSecrets('the-secret-key-of-the-tests'));
  await database.db
    .insertInto('webhooks')
    .values({
      id,
      workspace_id: workspaceId,
      name: 'soak',
      url: `${receiver.url}/soak`,
      host: new URL(receiver.url).host,
      events: ['document.ready'],
      secret: box.seal(SECRET, secretPlace(id)),
      secret_hint: '',
    })
    .execute();
  return workspaceId;
}

/** Runs one transaction with an event; one in five is rolled back. */
async function emit(workspaceId: string, number: number): Promise<void> {
  const isRolledBack = number % 5 === 0;
  const content = { number, isRolledBack };
  const work = database.db.transaction().execute(async (transaction) => {
    await recordEvent(transaction, workspaceId, 'document.ready', content);
    // Leaves time in which a reader could see uncommitted rows.
    if (number % 50 === 1) await sql`select pg_sleep(0.02)`.execute(transaction);
    if (isRolledBack) throw new Error('rolled back');
    committed.add(number);
  });
  await work.catch((error: Error) => {
    if (error.message !== 'rolled back') throw error;
  });
}

const started = async (): Promise<SpawnedProcess> => {
  const deliverer = spawnProcess('deliverer', database.connectionString, receiver.caFile);
  await deliverer.nextLine();
  return deliverer;
};

/** Expires the claims of killed processes. Live processes may lose claims too and send their events again. */
const endClaims = () =>
  sql`update deliveries set next_attempt_at = now() where status = 'pending' and claim_token is not null`.execute(
    database.db,
  );

/** Resolves when no delivery is pending. Makes retries due at once, which otherwise takes 5 s or more. */
async function untilDone(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`select (select count(*)::int from deliveries where status = 'pending')
      + (select count(*)::int from events where dispatched_at is null) as left`.execute(database.db);
    if (rows[0]?.left === 0) return;
    await sql`update deliveries set next_attempt_at = now() where status = 'pending' and claim_token is null
      and next_attempt_at > now()`.execute(database.db);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test(
  'every event arrives, signed and after its commit, while processes are killed',
  async () => {
    const workspaceId = await subscribe();
    const deliverers = await Promise.all([started(), started()]);
    const numbers = Array.from({ length: EVENTS }, (_, index) => index + 1);
    for (let at = 0; at < numbers.length; at += 20) {
      await Promise.all(numbers.slice(at, at + 20).map((number) => emit(workspaceId, number)));
      if (at === Math.floor(EVENTS / 40) * 20) {
        await deliverers[0].kill();
        await endClaims();
        deliverers[0] = await started();
      }
    }
    await deliverers[1].kill();
    await endClaims();
    await untilDone();
    await deliverers[0].kill();
    expect(faults).toEqual([]);
    expect([...committed].filter((number) => !arrived.has(number))).toEqual([]);
    expect(committed.size).toBe(EVENTS - Math.floor(EVENTS / 5));
    const { rows } = await sql<{ status: string; count: number }>`
      select status, count(*)::int as count from deliveries group by status`.execute(database.db);
    expect(rows).toEqual([{ status: 'delivered', count: committed.size }]);
  },
  600_000 + EVENTS * 60,
);
