/** CONTRACT sections 1 and 11: the routes at the root, without `/v1`. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('health, readiness, the description and its page need no key; metrics need the root key', async () => {
  const open = ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/'];
  // One after the other: describing the API takes all of the process, which the checks of `/readyz` notice under load.
  const statuses: number[] = [];
  for (const path of open) statuses.push((await service.call('GET', path, { key: null })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const nobody = await service.call('GET', '/metrics', { key: null });
  const root = await service.call('GET', '/metrics');
  expect([nobody.status, root.status]).toEqual([401, 200]);
});

test('readiness shows the free space of the disk', async () => {
  const { data } = await service.call<{ dependencies: Record<string, { detail?: string }> }>('GET', '/readyz', {
    key: null,
  });
  expect(data.dependencies['storage']?.detail).toMatch(/^\d+ MB free$/);
});

test.each([
  ['FOO /v1/whoami HTTP/1.1\r\nHost: x\r\n\r\n', 'HTTP/1.1 405 Method Not Allowed', 'method_not_allowed'],
  ['TRACE /v1/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'HTTP/1.1 401 Unauthorized', 'unauthorized'],
  [
    'TRACE /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'HTTP/1.1 405 Method Not Allowed',
    'method_not_allowed',
  ],
  ['\u0016\u0003\u0001 not HTTP\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'bad_request'],
])('the bytes %j are answered with %s', async (bytes, status, type) => {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  socket.end(bytes, 'latin1');
  const answer = await text(socket);
  expect(answer.split('\r\n', 1)).toEqual([status]);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ detail: [{ type }] });
});

test('the page of the API describes it', async () => {
  expect((await service.call('GET', '/docs', { key: null })).text).toContain('<title>Quire: the API</title>');
});
