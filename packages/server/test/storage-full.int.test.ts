/** A document that finds no space left in the database ends with a type of its own and can be retried. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createWorkspace, type AnyRecord } from './factories.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { startTestService, type TestService } from './server.ts';

let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ QUIRE_DATABASE_URL: database.connectionString });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** Lets jobs that wait for their next attempt run at once. */
const hurry = () => sql`update graphile_worker._private_jobs set run_at = now()`.execute(database.db);

test('a document fails with storage_full after some attempts, and a retry indexes it', async () => {
  await sql`create function fill() returns trigger language plpgsql as
    $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(database.db);
  await sql`create trigger fill before insert on chunks for each row execute function fill()`.execute(database.db);
  const { url } = await createCollection(service, await createWorkspace(service));
  const json = { name: 'a.txt', content: 'A heron stands here.', contentType: 'text/plain' };
  const { data } = await service.call<AnyRecord>('POST', `${url}/docs/raw`, { json });
  const document = `${url}/docs/${data.id}`;
  const find = async () => {
    await hurry();
    return (await service.call<AnyRecord>('GET', document)).data;
  };
  await expect.poll(find, { timeout: 60_000 }).toMatchObject({
    status: 'failed',
    error: { type: 'storage_full', message: 'The service has no storage space left; retry when there is some' },
  });
  await sql`drop trigger fill on chunks`.execute(database.db);
  expect((await service.call('POST', `${document}/retry`)).status).toBe(202);
  expect((await service.call(`GET`, `${document}?wait=60`)).data).toMatchObject({ status: 'ready', error: null });
});
