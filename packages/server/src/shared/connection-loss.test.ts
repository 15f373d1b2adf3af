import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { Client, DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { isConnectionLoss } from './connection-loss.ts';

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('from the server', 16, 'error');
  error.code = code;
  return error;
}

async function connectionError(config: ConstructorParameters<typeof Client>[0]): Promise<unknown> {
  return new Client(config).connect().then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each(['57P01', '57P02', '57P03', '08006'])('the code %s of the server is a lost connection', (code) => {
  expect(isConnectionLoss(databaseError(code))).toBe(true);
});

test.each(['23505', '40P01', '57014', '53100'])('the code %s of the server is not a lost connection', (code) => {
  expect(isConnectionLoss(databaseError(code))).toBe(false);
});

test('a refused connection, a missing socket and a connection that ends at once are lost connections', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended = await connectionError({ host: '127.0.0.1', port });
  server.close();
  await once(server, 'close');
  const refused = await connectionError({ host: '127.0.0.1', port });
  const missing = await connectionError({ host: '/nonexistent', port });
  expect([ended, refused, missing].map(isConnectionLoss)).toEqual([true, true, true]);
});

test('a missing file, a failed request and a plain error are not lost connections', async () => {
  const missing: unknown = await readFile('/nonexistent').catch((error: unknown) => error);
  const request = new TypeError('fetch failed', { cause: databaseError('08006') });
  expect([missing, request, new Error('no')].map(isConnectionLoss)).toEqual([false, false, false]);
});
