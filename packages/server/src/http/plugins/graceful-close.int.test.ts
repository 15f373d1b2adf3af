import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../../logger.ts';
import { Metrics } from '../../metrics.ts';
import type { AccessDeps } from '../access.ts';
import { registerRoutes } from '../register-routes.ts';
import { ok, route } from '../route.ts';
import { createServer } from '../server.ts';
import { accessStub } from '../../../test/access-stub.ts';

function promiseWithResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((each) => (resolve = each));
  return { promise, resolve };
}

/** Starts a server without routes and without authentication. */
async function openServer(): Promise<{ app: FastifyInstance; access: AccessDeps }> {
  const access = accessStub();
  const app = await createServer({
    logger: createLogger({ level: 'silent' }),
    metrics: new Metrics(),
    corsOrigins: [],
    access,
  });
  return { app, access };
}

const common = { method: 'GET', summary: '', tag: '', permission: 'open' } as const;
const uploads = { directory: '/nonexistent', maxFileBytes: 1 };
const audit = { write: async () => undefined, refuse: () => undefined };
const settings = { uploads, maxJsonBytes: 1, maxFiles: 1, cursorKey: Buffer.alloc(32) };

test('closing lets waiting requests answer, and does not wait for a client that never reads', async () => {
  const { app, access } = await openServer();
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
  const grace = { abortAfterMs: 10, cutAfterMs: 3000 };
  registerRoutes(app, routes, { ...settings, access, audit, grace });
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

test('connections that would be kept open end soon after their last answer, and unused ones at once', async () => {
  const { app, access } = await openServer();
  const { promise: arrived, resolve: arrive } = promiseWithResolve();
  const { promise: begun, resolve: begin } = promiseWithResolve();
  const { promise: allowed, resolve: allow } = promiseWithResolve();
  const routes = [
    route({
      ...common,
      path: '/wait',
      operationId: 'wait',
      response: z.object({ waited: z.boolean() }),
      handler: async () => {
        arrive();
        await allowed;
        return ok({ waited: true });
      },
    }),
    route({
      ...common,
      path: '/stream',
      operationId: 'stream',
      response: 'text/plain',
      handler: async ({ reply }) => {
        async function* parts(): AsyncGenerator<string> {
          yield 'begun, ';
          await allowed;
          yield 'ended';
        }
        return reply.send(Readable.from(parts()));
      },
    }),
  ];
  // Far beyond the time that a test may take: nothing is cut here.
  const grace = { abortAfterMs: 3_600_000, cutAfterMs: 3_600_000 };
  registerRoutes(app, routes, { ...settings, access, audit, grace });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const waiting = once(http.get({ port, host: '127.0.0.1', path: '/wait', agent }), 'response');
  const streaming = http.get({ port, host: '127.0.0.1', path: '/stream', agent });
  const [stream] = (await once(streaming, 'response')) as [http.IncomingMessage];
  stream.once('data', begin);
  const accepted = once(app.server, 'connection');
  const unused = net.connect(port, '127.0.0.1');
  await Promise.all([arrived, begun, accepted, once(unused, 'connect')]);
  const unusedEnded = once(unused, 'close');
  const closed = app.close();
  await unusedEnded;
  const rest = text(stream);
  const freed = once(agent, 'free');
  allow();
  const [answer] = (await waiting) as [http.IncomingMessage];
  expect(answer.headers.connection).toBe('close');
  expect(await json(answer)).toEqual({ data: { waited: true }, status: 'ok' });
  expect(stream.headers.connection).toBe('keep-alive');
  expect(await rest).toContain('ended');
  await freed;
  const late = http.get({ port, host: '127.0.0.1', path: '/wait', agent });
  const [lateAnswer] = (await once(late, 'response')) as [http.IncomingMessage];
  expect(late.reusedSocket).toBe(true);
  expect(lateAnswer.headers.connection).toBe('close');
  expect(await json(lateAnswer)).toEqual({ data: { waited: true }, status: 'ok' });
  await closed;
  agent.destroy();
});
