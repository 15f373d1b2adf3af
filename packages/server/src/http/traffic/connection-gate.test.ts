import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectionGate, MAX_SERVED, MAX_WAITING } from './connection-gate.ts';

interface Served {
  request: IncomingMessage;
  response: ServerResponse;
}

let server: http.Server;
let gate: ConnectionGate;
/** Requests in service that are not answered. */
let served: Served[];
let arrived: number;
/** Requests that were answered or whose connection closed. */
let ended: Set<string>;

beforeEach(async () => {
  gate = new ConnectionGate(Infinity);
  served = [];
  arrived = 0;
  // Requests of the former test may end later than it.
  const ending = new Set<string>();
  ended = ending;
  server = http.createServer((request, response) => {
    arrived += 1;
    gate.enter(
      request,
      response,
      () => {
        served.push({ request, response });
        gate.whenEnded(request, response, () => ending.add(request.url ?? ''));
      },
      request.url === '/urgent',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  const closed = once(server.close(), 'close');
  server.closeAllConnections();
  await closed;
});

async function connect(): Promise<{ socket: net.Socket; text: () => string }> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('error', () => undefined).on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'connect');
  return { socket, text: () => text };
}

const requests = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\nhost: x\r\n\r\n`).join('');

test('a connection has few requests in service; the others follow in their order, and all are answered', async () => {
  const { socket, text } = await connect();
  socket.write(requests(100));
  await expect.poll(() => arrived).toBe(100);
  await new Promise(setImmediate);
  expect(served).toHaveLength(MAX_SERVED);
  let most = 0;
  for (let answered = 0; answered < 100;) {
    most = Math.max(most, served.length);
    const next = served.shift();
    if (next === undefined) await new Promise(setImmediate);
    else {
      expect(next.request.url).toBe(`/${answered}`);
      next.response.end(`${answered}`);
      answered += 1;
    }
  }
  await expect.poll(() => text().match(/HTTP\/1\.1 200/g)?.length).toBe(100);
  await expect.poll(() => ended.size).toBe(100);
  expect(most).toBe(MAX_SERVED);
});

test('while requests of a connection wait it is not read, and again afterwards', async () => {
  const { socket } = await connect();
  socket.write(requests(MAX_SERVED + 1));
  await expect.poll(() => arrived).toBe(MAX_SERVED + 1);
  const connection = served[0]!.request.socket;
  expect(connection.isPaused()).toBe(true);
  served.shift()!.response.end();
  await expect.poll(() => served.length).toBe(MAX_SERVED);
  expect(connection.isPaused()).toBe(false);
  socket.write(requests(1));
  await expect.poll(() => arrived).toBe(MAX_SERVED + 2);
});

test('a body that is read meanwhile does not resume a connection with waiting requests', async () => {
  const { socket } = await connect();
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody${requests(MAX_SERVED)}`);
  await expect.poll(() => arrived).toBe(MAX_SERVED + 1);
  const [first] = served;
  let body = '';
  for await (const chunk of first!.request) body += String(chunk);
  await new Promise(setImmediate);
  expect([body, first!.request.socket.isPaused()]).toEqual(['body', true]);
});

test('a connection on which too many requests wait is closed, and its requests end', async () => {
  const { socket } = await connect();
  const closed = once(socket, 'close');
  socket.write(requests(MAX_SERVED + MAX_WAITING + 1));
  await closed;
  await expect.poll(() => ended.size).toBe(MAX_SERVED);
  const other = await connect();
  other.socket.write(requests(1));
  await expect.poll(() => served.length).toBe(MAX_SERVED + 1);
  expect(gate.isServing(served[0]!.request.socket)).toBe(false);
  expect(gate.isServing(served.at(-1)!.request.socket)).toBe(true);
});

test('requests that wait when their client leaves are not started', async () => {
  const { socket } = await connect();
  socket.write(requests(20));
  await expect.poll(() => arrived).toBe(20);
  served[0]!.request.socket.destroy();
  await expect.poll(() => ended.size).toBe(MAX_SERVED);
  await new Promise(setImmediate);
  expect(served).toHaveLength(MAX_SERVED);
});

test('an urgent request is started at once while a turn has no time left', async () => {
  const [busy, probe] = [await connect(), await connect()];
  // Starting a request takes the whole turn here.
  gate = new ConnectionGate(10);
  const started: string[] = [];
  server.removeAllListeners('request').on('request', (request, response) => {
    const start = (): void => {
      started.push(request.url ?? '');
      for (const until = performance.now() + 12; performance.now() < until;);
      response.end();
    };
    gate.enter(request, response, start, request.url === '/urgent');
    if (request.url === '/3') {
      const urgent = { socket: probe.socket, url: '/urgent' } as unknown as IncomingMessage;
      gate.enter(urgent, { once: () => undefined } as unknown as ServerResponse, () => started.push('/urgent'), true);
    }
  });
  busy.socket.write(requests(4));
  await expect.poll(() => started.length).toBe(5);
  expect(started).toEqual(['/0', '/urgent', '/1', '/2', '/3']);
});
