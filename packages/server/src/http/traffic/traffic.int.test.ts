import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { accessStub } from '../../../test/access-stub.ts';
import type { Principal } from '../../domain/keys/types.ts';
import { createLogger } from '../../logger.ts';
import { Metrics } from '../../metrics.ts';
import { registerRoutes } from '../register-routes.ts';
import { ok, route, type Route } from '../route.ts';
import { createServer } from '../server.ts';
import { Traffic, type TrafficSettings } from './traffic.ts';

const MEBIBYTE = 1024 ** 2;
const WS = '0192f0c4-0000-7000-8000-000000000001';

let app: FastifyInstance | undefined;
let traffic: Traffic;
afterEach(async () => {
  app?.server.closeAllConnections();
  await app?.close();
});

const common = { method: 'GET', summary: '', tag: '', permission: 'any' } as const;
let open: () => void;
let opened: Promise<void>;
const routes: Route[] = [
  route({
    ...common,
    path: '/v1/large',
    operationId: 'large',
    response: 'text/plain',
    handler: async ({ reply }) => reply.type('image/x-large').send('x'.repeat(20_000_000)),
  }),
  route({
    ...common,
    path: '/v1/stream',
    operationId: 'stream',
    response: 'text/plain',
    handler: async ({ reply }) => {
      async function* parts(): AsyncGenerator<Buffer> {
        for (;;) yield Buffer.alloc(MEBIBYTE);
      }
      return reply.type('image/x-stream').send(Readable.from(parts()));
    },
  }),
  route({
    ...common,
    path: '/v1/wait',
    operationId: 'wait',
    response: z.object({}),
    handler: async () => {
      await opened;
      return ok({});
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/body',
    operationId: 'body',
    audit: false,
    body: z.strictObject({ text: z.string() }),
    response: z.object({ length: z.number() }),
    handler: async ({ body }) => ok({ length: body.text.length }),
  }),
];

async function start(settings: Partial<TrafficSettings>): Promise<{ url: string; port: number }> {
  opened = new Promise((resolve) => (open = resolve));
  traffic = new Traffic({ memoryBytes: 64 * MEBIBYTE, maxRequests: 90, maxConnections: 1_000, ...settings });
  const authenticate = async (key: string): Promise<Principal> => ({
    keyId: key,
    permission: 'write',
    workspaceId: WS,
    collectionIds: null,
  });
  const access = accessStub({ authenticate, traffic });
  const logger = createLogger({ level: 'silent' });
  app = await createServer({ logger, metrics: new Metrics(), corsOrigins: [], access });
  const uploads = { directory: '/nonexistent', maxFileBytes: 1 };
  const audit = { write: async () => undefined, refuse: () => undefined };
  registerRoutes(app, routes, {
    access,
    audit,
    uploads,
    maxJsonBytes: 10 * MEBIBYTE,
    maxFiles: 1,
    cursorKey: Buffer.alloc(32),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, port };
}

const headers = (key: string) => ({ authorization: `Bearer ${key}` });
const head = (method: string, path: string, key: string, more = ''): string =>
  `${method} /v1/${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${more}\r\n`;

/** Sends a request, reads nothing, and resolves when the service has closed the connection. */
async function waitForClose(port: number, text: string): Promise<void> {
  const accepted = once(app?.server ?? process, 'connection');
  await send(port, text);
  const [connection] = (await accepted) as [net.Socket];
  await once(connection, 'close');
}

/** Sends a request and reads nothing. */
async function send(port: number, text: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

test('an answer that its client does not read is counted, and ends with its connection after the time', async () => {
  const { port } = await start({ stallMs: 200, memoryBytes: 128 * MEBIBYTE });
  const closed = waitForClose(port, head('GET', 'large', 'a'));
  await expect.poll(() => traffic.bytesInUse).toBe(40_000_000);
  await closed;
  await expect.poll(() => traffic.bytesInUse).toBe(0);
});

test('a stream that its client does not read ends with its connection after the time', async () => {
  const { port } = await start({ stallMs: 200 });
  await waitForClose(port, head('GET', 'stream', 'a'));
  expect(traffic.requestsInService).toBe(0);
});

test('a body that does not continue is 408, and its memory is free again', async () => {
  const { port } = await start({ stallMs: 200 });
  const socket = await send(port, head('POST', 'body', 'a', `content-length: ${MEBIBYTE}\r\n`) + '{');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await expect.poll(() => traffic.bytesInUse).toBe(3 * MEBIBYTE);
  await once(socket, 'close');
  expect(answer.split('\r\n', 1)).toEqual(['HTTP/1.1 408 Request Timeout']);
  expect(answer).toContain(
    '{"detail":[{"loc":["body"],"msg":"The body did not arrive in time","type":"bad_request"}]}',
  );
  expect(traffic.bytesInUse).toBe(0);
});

test('a key that holds its share waits and is then refused with 429; another key is served', async () => {
  const { url, port } = await start({ waitMs: 300 });
  const text = 'x'.repeat(5 * MEBIBYTE);
  for (let held = 0; held < 3; held += 1)
    await send(port, head('POST', 'body', 'a', `content-length: ${9 * MEBIBYTE}\r\n`) + '{');
  await expect.poll(() => traffic.bytesInUse).toBe(27 * MEBIBYTE);
  const body = JSON.stringify({ text });
  const refused = await fetch(`${url}/body`, { method: 'POST', headers: headers('a'), body });
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '2',
    { detail: [{ loc: [], msg: 'Too many requests of this key are in progress', type: 'rate_limited' }] },
  ]);
  const small = await fetch(`${url}/body`, { method: 'POST', headers: headers('a'), body: '{"text":"small"}' });
  const other = await fetch(`${url}/body`, { method: 'POST', headers: headers('b'), body });
  expect([small.status, await other.json()]).toEqual([200, { data: { length: text.length }, status: 'ok' }]);
});

test('a key has a third of the requests in service; its further ones wait, those of another key do not', async () => {
  const { url } = await start({});
  const ask = (key: string, path = 'wait') => fetch(`${url}/${path}`, { headers: headers(key) });
  const waiting = Array.from({ length: 64 }, () => ask('a'));
  await expect.poll(() => traffic.requestsInService).toBe(30);
  const body = '{"text":"small"}';
  expect((await fetch(`${url}/body`, { method: 'POST', headers: headers('b'), body })).status).toBe(200);
  open();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 200));
  await expect.poll(() => traffic.requestsInService).toBe(0);
});
