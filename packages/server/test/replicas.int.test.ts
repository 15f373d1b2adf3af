// large: starts two services
/** Two processes without a common folder: one PostgreSQL and one bucket are all that they share. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3TestServer, type S3TestServer } from '../src/storage/s3/testing/s3-server.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { removeDirectory, startService, type ServiceProcess } from './service-process.ts';

const PER_MINUTE = 240;
let database: TestDatabase;
let s3: S3TestServer;
let folders: string[];
let services: ServiceProcess[] = [];
let key: string;

beforeAll(async () => {
  [database, s3] = await Promise.all([createTestDatabase(), startS3TestServer()]);
  folders = [1, 2].map(() => mkdtempSync(path.join(tmpdir(), 'quire-replica-')));
  const env = {
    QUIRE_DATABASE_URL: database.connectionString,
    QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests',
    QUIRE_STORAGE_URL: `s3://documents/quire?endpoint=${s3.endpoint}`,
    QUIRE_SAMPLE: 'true',
    QUIRE_RATE_LIMIT: String(PER_MINUTE),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  // An empty root key counts as none, so that both processes would create one.
  services = await Promise.all(folders.map((dataDir) => startService({ dataDir, rootKey: '', env })));
  const files = folders.map((folder) => path.join(folder, 'first-keys.txt')).filter((file) => existsSync(file));
  key = /^Root key .*: (\S+)$/m.exec(readFileSync(files[0] ?? '', 'utf8'))?.[1] ?? '';
}, 600_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([s3.close(), database.drop()]);
  for (const folder of folders) removeDirectory(folder);
});

/** Sends a request to one of the processes with the root key of the first start. */
async function send(process: number, method: string, url: string, body?: unknown): Promise<Response> {
  return fetch(`${services[process]?.address}/v1${url}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
async function read<T>(...request: Parameters<typeof send>): Promise<T> {
  const response = await send(...request);
  const answer = (await response.json()) as { data: T };
  if (!response.ok) throw new Error(`${request[1]} ${request[2]}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

test('of two processes that start together on an empty database, one creates the root key and the sample', async () => {
  const roots = await database.pool.query("select from api_keys where permission = 'root'");
  const workspaces = await database.pool.query('select from workspaces');
  expect([roots.rowCount, workspaces.rowCount]).toEqual([1, 1]);
  expect(folders.filter((folder) => existsSync(path.join(folder, 'first-keys.txt')))).toHaveLength(1);
});

test('a document that one process received is processed and found through the other', async () => {
  const ws = await read<{ id: string }>(0, 'POST', '/workspaces', { name: 'replicas' });
  const col = await read<{ id: string }>(1, 'POST', `/w/${ws.id}/col`, { name: 'replicas' });
  const docs = `/w/${ws.id}/col/${col.id}/docs`;
  const content = 'The heron stands in the shallow water and waits.';
  const upload = { name: 'heron.txt', content, contentType: 'text/plain' };
  const { id } = await read<{ id: string }>(0, 'POST', `${docs}/raw`, upload);
  expect(await read(1, 'GET', `${docs}/${id}?wait=60`)).toMatchObject({ status: 'ready' });
  const original = [...s3.objects.entries()].find(([name]) => name.includes(id) && name.endsWith('/original'));
  expect(original?.[1].bytes.toString()).toBe(content);
  const found = await read<{ hits: { documentId: string }[] }>(1, 'POST', `/w/${ws.id}/col/${col.id}/search`, {
    query: 'heron in the water',
  });
  expect(found.hits.map((hit) => hit.documentId)).toEqual([id]);
});

test('both processes together admit the requests of one limit', async () => {
  const startedAt = performance.now();
  const requests = Array.from({ length: 2.5 * PER_MINUTE }, (_, index) =>
    send(index % 2, 'GET', '/workspaces?limit=1'),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  const refilled = ((performance.now() - startedAt) / 60_000) * PER_MINUTE;
  const admitted = statuses.filter((status) => status === 200).length;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(admitted).toBeLessThanOrEqual(PER_MINUTE + refilled + 1);
});
