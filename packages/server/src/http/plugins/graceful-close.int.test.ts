import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../../logger.ts';
import { Metrics } from '../../metrics.ts';
import { registerRoutes } from '../register-routes.ts';
import { ok, route } from '../route.ts';
import { createServer } from '../server.ts';
import { RateLimiter } from './rate-limit.ts';

function promiseWithResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((each) => (resolve = each));
  return { promise, resolve };
}

test('closing lets waiting requests answer, and does not wait for a client that never reads', async () => {
  const nothing = async (): Promise<undefined> => undefined;
  const access = {
    authenticate: nothing,
    workspaceExists: async () => false,
    loaders: {
      col: nothing,
      doc_id: nothing,
      key_id: nothing,
      model_id: nothing,
      embedder_id: nothing,
      parser_id: nothing,
      chat_id: nothing,
      message_id: nothing,
      run_id: nothing,
      webhook_id: nothing,
      delivery_id: nothing,
    },
    recallCollection: nothing,
    verifyLink: () => false,
    limiter: new RateLimiter(0, Date.now),
  };
  const app = await createServer({
    logger: createLogger({ level: 'silent' }),
    metrics: new Metrics(),
    corsOrigins: [],
    access,
  });
  const common = { method: 'GET', summary: '', tag: '', permission: 'open' } as const;
  const { promise: arrived, resolve: arrive } = promiseWithResolve();
  const routes = [
    route({
      ...common,
      path: '/wait',
      operationId: 'wait',
      response: z.object({ cut: z.boolean() }),
      handler: async ({ signal }) => {
        arrive();
        await once(signal, 'abort');
        return ok({ cut: true });
      },
    }),
    route({
      ...common,
      path: '/large',
      operationId: 'large',
      response: 'text/plain',
      handler: async ({ reply }) => reply.send('x'.repeat(50_000_000)),
    }),
  ];
  const uploads = { directory: '/nonexistent', maxFileBytes: 1 };
  const grace = { abortAfterMs: 10, cutAfterMs: 200 };
  registerRoutes(app, routes, { access, uploads, maxJsonBytes: 1, maxFiles: 1, cursorKey: Buffer.alloc(32), grace });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const waiting = fetch(`http://127.0.0.1:${port}/wait`);
  const stalled = http.get({ port, host: '127.0.0.1', path: '/large' });
  const [response] = (await once(stalled, 'response')) as [http.IncomingMessage];
  const broken = once(response, 'error');
  await arrived;
  await app.close();
  expect(await (await waiting).json()).toEqual({ data: { cut: true }, status: 'ok' });
  response.resume();
  expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
});
