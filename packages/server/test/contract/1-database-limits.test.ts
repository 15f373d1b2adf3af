/** CONTRACT section 1: what the service answers while the database does not finish its statements. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createDocument, createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ QUIRE_STATEMENT_TIMEOUT_SECONDS: '0.4' });
});
afterAll(() => service.stop());

test('requests whose statements wait behind a lock get 503 timeout, also more than there are connections', async () => {
  const workspace = await createWorkspace(service);
  const { id, url } = await createCollection(service, workspace);
  await createDocument(service, { url }, { content: 'gate' });
  const search = () =>
    service.call('POST', `${workspace.url}/search`, { json: { query: 'gate', collectionIds: [id], mode: 'sparse' } });
  const client = new Client({ connectionString: service.connectionString });
  await client.connect();
  await client.query('begin; lock table documents in access exclusive mode');
  const answers = await Promise.all(Array.from({ length: 30 }, search));
  await client.query('rollback');
  await client.end();
  const seen = answers.map(({ status, detail, headers }) => [status, detail[0]?.type, headers.get('retry-after')]);
  expect(seen).toEqual(seen.map(() => [503, 'timeout', '5']));
  expect((await search()).status).toBe(200);
});
