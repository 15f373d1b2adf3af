import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { newId } from '../../shared/uuid.ts';
import { DeliveryClaims } from './claims.ts';
import { OutboxDispatch } from './outbox-dispatch.ts';
import { WebhookRetention } from './retention.ts';

let database: TestDatabase;
const workspaceId = newId();

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.insertInto('workspaces').values({ id: workspaceId, name: 'w' }).execute();
});
afterAll(() => database.drop());

async function subscribe(host: string): Promise<string> {
  const id = newId();
  const url = `https://${host}/`;
  const fields = { name: 'w', url, host, events: ['document.ready'], secret: '', secret_hint: '' };
  await database.db
    .insertInto('webhooks')
    .values({ id, workspace_id: workspaceId, ...fields })
    .execute();
  return id;
}

async function emit(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const rows = ids.map((id) => ({ id, workspace_id: workspaceId, type: 'document.ready', data: '{}' }));
  await database.db.insertInto('events').values(rows).execute();
  return ids;
}

const dispatch = () => new OutboxDispatch({ database: database.db }).run();
const events = async () => (await database.db.selectFrom('events').select('id').execute()).map(({ id }) => id);

test('an event without a subscriber is deleted when it is dispatched', async () => {
  await emit(3);
  expect(await dispatch()).toBe(false);
  expect(await events()).toEqual([]);
});

test('concurrent dispatchers create one delivery for each event and webhook', async () => {
  const webhooks = [await subscribe('one.example'), await subscribe('two.example')];
  const ids = await emit(700);
  await Promise.all(Array.from({ length: 8 }, () => dispatch()));
  while (await dispatch());
  const { rows } = await sql<{ webhook_id: string; count: number; different: number }>`
    select webhook_id, count(*)::int as count, count(distinct event_id)::int as different
    from deliveries group by webhook_id order by webhook_id`.execute(database.db);
  expect(rows).toEqual(webhooks.map((webhook_id) => ({ webhook_id, count: 700, different: 700 })));
  expect((await events()).length).toBe(ids.length);
});

test('claims take each host’s share and no delivery twice, and released ones are due again', async () => {
  const claims = new DeliveryClaims({ database: database.db });
  const request = { limit: 1000, slots: { 'one.example': 5 }, slotsForOthers: 40 };
  const first = await claims.take(request);
  const hosts = (taken: { host: string }[]) =>
    ['one.example', 'two.example'].map((host) => taken.filter((each) => each.host === host).length);
  expect(hosts(first)).toEqual([5, 40]);
  const more = await Promise.all(Array.from({ length: 6 }, () => claims.take({ ...request, slots: {} })));
  const taken = [first, ...more].flat();
  expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
  await claims.release(taken);
  const next = await claims.take({ limit: 2000, slots: {}, slotsForOthers: 1000 });
  expect(hosts(next)).toEqual([700, 700]);
  await claims.release(taken);
  expect(await claims.take(request)).toEqual([]);
});

test('after 30 days events are deleted with their delivery log, unless a delivery is pending', async () => {
  await sql`update deliveries set status = 'delivered', next_attempt_at = null where host = 'one.example'`.execute(
    database.db,
  );
  const ids = (await events()).toSorted();
  const [waiting = '', ended = '', recent = ''] = ids;
  await sql`update events set created_at = now() - interval '31 days' where id = any(${[waiting, ended]}::uuid[])`.execute(
    database.db,
  );
  await sql`update deliveries set status = 'failed', next_attempt_at = null where event_id = ${ended}`.execute(
    database.db,
  );
  const retention = new WebhookRetention({ database: database.db });
  expect([await retention.run(), await retention.run()]).toEqual([1, 0]);
  const left = await events();
  expect([waiting, ended, recent].map((id) => left.includes(id))).toEqual([true, false, true]);
  const { rows } = await sql`select from deliveries where event_id = ${ended}`.execute(database.db);
  expect(rows).toEqual([]);
});
