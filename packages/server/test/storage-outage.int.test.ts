/** The whole service while its object store does not answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3TestServer, type S3TestServer } from '../src/storage/s3/testing/s3-server.ts';
import { createWorkspace } from './factories.ts';
import { startTestService, type TestService } from './server.ts';

/** Number of failed requests after which the store answers again: the client repeats each up to five times. */
const FAILED_READS = 40;
const DOCUMENTS = 3;

let s3: S3TestServer;
let service: TestService;
const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;

beforeAll(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  s3 = await startS3TestServer();
  service = await startTestService({ QUIRE_STORAGE_URL: `s3://documents/quire?endpoint=${s3.endpoint}` });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
  for (const [name, value] of Object.entries({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test('accepted documents wait for the store to return, and an upload meanwhile is refused with 503', async () => {
  const { url: ws, admin: key } = await createWorkspace(service);
  const { data: col } = await service.call<{ id: string }>('POST', `${ws}/col`, { key, json: { name: 'c' } });
  let failed = 0;
  s3.fault = ({ method }) => (method === 'GET' || method === 'HEAD' ? { status: 503 } : undefined);
  const docs = `${ws}/col/${col.id}/docs`;
  const ids: string[] = [];
  for (let number = 1; number <= DOCUMENTS; number += 1) {
    const json = { name: `${number}.txt`, content: `Heron ${number} stands here.`, contentType: 'text/plain' };
    ids.push((await service.call<{ id: string }>('POST', `${docs}/raw`, { key, json })).data.id);
  }
  const isDown = s3.fault;
  s3.fault = (request) => {
    const fault = isDown(request);
    if (fault !== undefined) failed += 1;
    return failed > FAILED_READS ? undefined : fault;
  };
  for (const id of ids) {
    const { data } = await service.call(`GET`, `${docs}/${id}?wait=60`, { key });
    expect(data).toMatchObject({ status: 'ready', error: null });
  }
  expect(failed).toBeGreaterThan(FAILED_READS);

  s3.fault = () => ({ status: 503 });
  const json = { name: 'late.txt', content: 'Too late.', contentType: 'text/plain' };
  const refused = await service.call('POST', `${docs}/raw`, { key, json });
  expect([refused.status, refused.detail[0]?.type, refused.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    '2',
  ]);
  s3.fault = () => undefined;
}, 300_000);
