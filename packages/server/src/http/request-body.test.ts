import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { readBody } from './request-body.ts';

const LIMIT = 100_000;

let server: http.Server;

/** Reads the body of the next request; returns its text, or the status, headers and message of the error. */
async function nextBody(prepare: (request: IncomingMessage) => Promise<unknown> = async () => undefined) {
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, http.ServerResponse];
  await prepare(request);
  try {
    return (await readBody(request, LIMIT)).toString();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.status, error.headers, error.details[0]?.msg];
  } finally {
    response.end();
  }
}

/** A connection on which a request has begun; its body is sent in chunks of unknown number. */
async function open(): Promise<{ socket: net.Socket; send: (text: string) => void; end: () => void }> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined).resume();
  socket.write('POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n');
  const send = (text: string): void => void socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  return { socket, send, end: () => socket.write('0\r\n\r\n') };
}

beforeEach(async () => {
  server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a body is read whole, in however many pieces it comes', async () => {
  const body = nextBody();
  const { send, end } = await open();
  send('one ');
  await new Promise(setImmediate);
  send('two');
  end();
  expect(await body).toBe('one two');
});

test('a body that arrives before it is read is read whole, and so is an empty one', async () => {
  for (const text of ['ready', '']) {
    const body = nextBody((request) => (text === '' ? Promise.resolve() : once(request, 'readable')));
    const { send, end } = await open();
    if (text !== '') send(text);
    end();
    expect(await body).toBe(text);
  }
});

test('a body that grows over the limit is refused when the rest has been read', async () => {
  const body = nextBody();
  const { send, end } = await open();
  for (let part = 0; part < 20; part += 1) send('x'.repeat(10_000));
  end();
  expect(await body).toEqual([413, {}, `The body is larger than ${LIMIT} bytes`]);
});

test('a client that disconnects before the end of the body gets an error', async () => {
  const body = nextBody();
  const { socket, send } = await open();
  send('half');
  socket.destroy();
  expect(await body).toEqual([400, {}, 'The body could not be read to its end: aborted']);
});

test('a client that has left before anybody reads is noticed', async () => {
  const body = nextBody((request) => new Promise((resolve) => request.once('close', resolve)));
  const { socket } = await open();
  socket.destroy();
  expect(await body).toEqual([400, {}, 'The body could not be read to its end: aborted']);
});
