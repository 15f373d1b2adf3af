// large: starts a whole service
/** The whole service while the connection is cut between a commit and its answer: no upload is stored and refused. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseProxy } from './database-proxy.ts';
import { createCollection, createWorkspace, runForm, type AnyRecord, type TestWorkspace } from './factories.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { startTestService, type TestService } from './server.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: TestService;
let workspace: TestWorkspace;
let docs: string;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.start(database.connectionString);
  // Without a worker all commits are those of requests.
  const settings = { QUIRE_DATABASE_URL: proxy.through(database.connectionString), QUIRE_ROLE: 'api' };
  service = await startTestService(settings);
  workspace = await createWorkspace(service);
});
beforeEach(async () => {
  docs = `${(await createCollection(service, workspace)).url}/docs`;
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
  await database.drop();
});

const raw = (content: string) => ({ json: { name: 'a.txt', content, contentType: 'text/plain' } });
const stored = async (): Promise<unknown[]> =>
  (
    await database.db
      .selectFrom('documents')
      .select(['id', 'sha256'])
      .where('workspace_id', '=', workspace.id)
      .execute()
  ).filter(({ sha256 }) => sha256 === sha('heron'));
const sha = (content: string): string => createHash('sha256').update(content).digest('hex');

test.each(['duplicates=allow', 'duplicates=skip', 'duplicates=reject'])(
  'an upload with %s is acknowledged and stored once',
  async (query) => {
    await database.db.deleteFrom('documents').execute();
    proxy.commitsToLose = 1;
    const { status, data } = await service.call<AnyRecord>('POST', `${docs}/raw?${query}`, raw('heron'));
    expect(status).toBe(202);
    expect(await stored()).toEqual([{ id: data.id, sha256: sha('heron') }]);
  },
);

test('new content and a run are acknowledged and stored once', async () => {
  const { data } = await service.call<AnyRecord>('POST', `${docs}/raw`, raw('stork'));
  proxy.commitsToLose = 1;
  const replaced = await service.call<AnyRecord>('PUT', `${docs}/${data.id}/raw`, raw('crane'));
  expect([replaced.status, replaced.data['revision']]).toEqual([202, 2]);
  proxy.commitsToLose = 1;
  const run = await service.call<AnyRecord>('POST', `${workspace.url}/process`, {
    body: runForm({ 'a.txt': 'egret' }),
  });
  expect(run.status).toBe(202);
  const runs = await database.db.selectFrom('runs').select('id').execute();
  expect(runs).toEqual([{ id: run.data.id }]);
});
