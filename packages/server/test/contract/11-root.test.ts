/** CONTRACT sections 1 and 11: what stands at the root, without `/v1`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('health, readiness, the description and its page need no key; metrics need the root key', async () => {
  const open = ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/'];
  const answers = await Promise.all(open.map((path) => service.call('GET', path, { key: null })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const nobody = await service.call('GET', '/metrics', { key: null });
  const root = await service.call('GET', '/metrics');
  expect([nobody.status, root.status]).toEqual([401, 200]);
});

test('the address that the service prints leads to the description', async () => {
  const answer = await fetch(`${service.address}/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
  expect((await service.call('GET', '/docs', { key: null })).text).toContain('<title>Quire: the API</title>');
});
