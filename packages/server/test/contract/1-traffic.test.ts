/** CONTRACT section 1: what one client can hold of the server: requests, memory, connections. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createKey, createWorkspace, type TestWorkspace } from '../factories.ts';
import { ROOT_KEY, startTestService, type TestService } from '../server.ts';

const MEBIBYTE = 1024 ** 2;

let service: TestService;
let workspace: TestWorkspace;
let url: string;

beforeAll(async () => {
  service = await startTestService({
    QUIRE_HTTP_MEMORY: String(64 * MEBIBYTE),
    QUIRE_MAX_REQUESTS: '30',
    QUIRE_MAX_CONNECTIONS: '480',
  });
  workspace = await createWorkspace(service);
  ({ url } = await createCollection(service, workspace));
});
afterAll(() => service.stop());

interface Connection {
  socket: Socket;
  /** Text that has arrived. */
  text: () => string;
  closed: Promise<unknown>;
}

async function open(sent = ''): Promise<Connection> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(sent);
  return { socket, text: () => Buffer.concat(chunks).toString('latin1'), closed };
}

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '');
const head = (method: string, path: string, key: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${more}\r\n`;

const STATIC = ['/openapi.json', '/docs', '/docs/json', '/docs/static/swagger-ui-bundle.js', '/guide', '/guide/search'];

test('static texts are sent compressed with an ETag that revalidates', async () => {
  for (const path of [...STATIC, '/docs/static/start.js']) {
    const get = (headers: Record<string, string>) => service.call('GET', path, { key: null, headers });
    const plain = await get({ 'accept-encoding': 'identity' });
    const etag = plain.headers.get('etag') ?? '';
    expect([path, plain.status, etag.length]).toEqual([path, 200, 24]);
    const again = await get({ 'accept-encoding': 'identity', 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    const packed = await open(`GET ${path} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\nconnection: close\r\n\r\n`);
    await packed.closed;
    const answer = Buffer.from(packed.text(), 'latin1');
    const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
    const isShort = plain.text.length < 1024;
    expect([path, packed.text().includes('content-encoding: br')]).toEqual([path, !isShort]);
    const text = (isShort ? body : brotliDecompressSync(body)).toString();
    expect([path, text === plain.text]).toEqual([path, true]);
  }
});

test('a thousand pipelined requests are answered in their order', async () => {
  const many = await open('GET /docs HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n'.repeat(1000));
  await expect.poll(() => statuses(many.text()).length).toBe(1000);
  expect(new Set(statuses(many.text()))).toEqual(new Set(['200']));
  many.socket.destroy();
});

test('held bodies wait without being read, and neither their key nor another one is kept from small requests', async () => {
  const writer = await createKey(service, workspace, { permission: 'write' });
  const held = await Promise.all(
    Array.from({ length: 20 }, () =>
      open(head('POST', `${url}/docs/raw`, writer, `content-length: ${9 * MEBIBYTE}\r\n`) + 'x'.repeat(200_000)),
    ),
  );
  const json = { name: 'a.txt', content: 'text', contentType: 'text/plain' };
  const answers = await Promise.all(
    [writer, workspace.admin, ROOT_KEY].map((key) => service.call('POST', `${url}/docs/raw`, { key, json })),
  );
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  const metrics = (await service.call('GET', '/metrics')).text;
  const value = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  // One body of 27 MiB with its text and values is a third; the request for the metrics is in service too.
  expect([value('quire_http_memory_bytes'), value('quire_http_requests_in_service')]).toEqual([27 * MEBIBYTE, 11]);
  // A body of 2 MB needs memory of the budget; that of the held ones is only a part.
  const large = { ...json, content: 'y'.repeat(2 * MEBIBYTE) };
  expect((await service.call('POST', `${url}/docs/raw`, { json: large })).status).toBe(202);
  expect(held.filter(({ socket }) => socket.destroyed)).toHaveLength(0);
  for (const { socket } of held) socket.destroy();
});

test('64 parallel uploads and reads of one key all succeed, although ten requests are in service', async () => {
  const form = (): FormData => {
    const made = new FormData();
    made.append('file', new File(['text '.repeat(1000)], 'a.txt'));
    made.append('metadata', JSON.stringify({ long: 'm'.repeat(30_000) }));
    return made;
  };
  const uploads = Array.from({ length: 64 }, () =>
    service.call('POST', `${url}/docs/file-multipart`, { key: workspace.admin, body: form() }),
  );
  const lists = Array.from({ length: 64 }, () =>
    service.call('GET', `${url}/docs?limit=100`, { key: workspace.admin }),
  );
  const answers = await Promise.all([...uploads, ...lists]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 64 }, () => 200),
    ...Array.from({ length: 64 }, () => 202),
  ]);
});

test('connections without a key make room for others', async () => {
  const silent = await Promise.all(Array.from({ length: 280 }, () => open()));
  expect((await service.call('GET', `${url}/docs`)).status).toBe(200);
  await expect.poll(() => silent.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(40);
  for (const { socket } of silent) socket.destroy();
});

test('odd framing is 400: two hosts, two lengths, a length with chunks, an unknown transfer coding', async () => {
  const first = `POST ${new URL(service.address).pathname.replace(/\/$/, '')}/v1/workspaces HTTP/1.1\r\n`;
  const heads = [
    'host: a\r\nhost: b\r\n',
    'host: a\r\nHOST: a\r\n',
    'host: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n',
    'host: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n',
    'host: a\r\ntransfer-encoding: gzip\r\n',
    'host: a\r\ntransfer-encoding: chunked, gzip\r\n',
    'host: a\r\ntransfer-encoding: xchunked\r\n',
    'host: a\r\ncontent-length: +2\r\n',
    'host: a\r\ncontent-length: -1\r\n',
    'host: a\r\ncontent-length : 2\r\n',
    '',
  ];
  for (const lines of heads) {
    const { text, closed } = await open(`${first}${lines}connection: close\r\n\r\n{}`);
    await closed;
    expect([lines, statuses(text())[0]]).toEqual([lines, '400']);
  }
});
