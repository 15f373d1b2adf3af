import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { ProviderClient, type ProviderCall } from './provider-client.ts';
import { RequestGate } from './request-gate.ts';

const KEY = 'sk-secret-0123456789';

/** A clock that only advances in pauses, which it records. */
function fakeClock() {
  const pauses: number[] = [];
  let now = Date.parse('2026-05-04T09:30:00Z');
  return {
    pauses,
    now: () => now,
    pause: async (ms: number) => {
      pauses.push(ms);
      now += ms;
    },
    random: () => 0,
  };
}

type Act = (response: ServerResponse, request: IncomingMessage) => void;

/** Time limit for silence: enough for a slow machine, and short enough to wait for once. */
const SILENCE_MS = 5000;

/** Starts a server that plays its acts in turn and repeats the last one. */
async function play(...acts: [Act, ...Act[]]) {
  let calls = 0;
  const server = createServer((request, response) => {
    const act = acts[Math.min(calls, acts.length - 1)]!;
    calls += 1;
    request.resume().once('end', () => act(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const clock = fakeClock();
  const client = new ProviderClient({
    outbound: new OutboundClient(new AddressRules(['127.0.0.1'])),
    gate: new RequestGate({ maxConcurrency: 2, requestsPerMinute: null }, clock),
    clock,
    timeoutMs: SILENCE_MS,
  });
  const call = (more: Partial<ProviderCall> = {}): Promise<unknown> =>
    client.postJson({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`,
      headers: { authorization: `Bearer ${KEY}` },
      body: { input: ['x'] },
      signal: new AbortController().signal,
      apiKey: KEY,
      ...more,
    });
  return { call, clock, calls: () => calls };
}

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Act =>
  (response) =>
    response.writeHead(status, headers).end(body);
const fine = answer(200, '{"fine":true}');

test('a 429 is retried after the time that the provider requests, in seconds or as a date', async () => {
  const { call, clock, calls } = await play(
    answer(429, '', { 'retry-after': '7' }),
    answer(429, '', { 'retry-after': 'Mon, 04 May 2026 09:30:10 GMT' }),
    fine,
  );
  expect(await call()).toEqual({ fine: true });
  expect([clock.pauses, calls()]).toEqual([[7000, 3000], 3]);
});

test('5xx, a broken response and silence are retried with growing pauses', async () => {
  const cut: Act = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":', () => response.destroy());
  };
  const { call, clock } = await play(answer(500, ''), cut, () => undefined, answer(503, ''), fine);
  expect(await call()).toEqual({ fine: true });
  expect(clock.pauses).toEqual([500, 1000, 2000, 4000]);
});

test('after five attempts the failure is reported with its status', async () => {
  const { call, calls } = await play(answer(500, 'a stack trace'));
  await expect(call()).rejects.toMatchObject({
    type: 'provider_error',
    status: 500,
    message: 'The provider answered 500',
  });
  expect(calls()).toBe(5);
});

test('a request for a very long pause is not followed', async () => {
  const { call, clock, calls } = await play(answer(429, '', { 'retry-after': '3600' }));
  await expect(call()).rejects.toMatchObject({ status: 429, type: 'provider_error' });
  expect([clock.pauses, calls()]).toEqual([[], 1]);
});

test('a client error is not retried, and its message has the provider’s text without the key', async () => {
  const message = `no model x for ${KEY}`;
  const { call, calls } = await play(answer(404, JSON.stringify({ error: { message } })));
  await expect(call()).rejects.toThrow('The provider answered 404: no model x for ••••');
  expect(calls()).toBe(1);
  const refused = await play(
    answer(401, JSON.stringify({ error: { message: `Incorrect key: ${KEY.slice(0, 8)}***` } })),
  );
  await expect(refused.call()).rejects.toThrow(/^The provider answered 401: it does not accept the key$/);
});

test('a web page is named as such, with any status', async () => {
  const page = { 'content-type': 'text/html; charset=utf-8' };
  const found = await play(answer(200, '<html>Sign in</html>', page));
  await expect(found.call()).rejects.toThrow('The address answered with a web page instead of the API: check baseUrl');
  const missing = await play(answer(404, '<html>Not here</html>', page));
  await expect(missing.call()).rejects.toThrow('The provider answered 404: the address answered with a web page');
  expect([found.calls(), missing.calls()]).toEqual([1, 1]);
});

test('malformed JSON and redirects are errors without a retry', async () => {
  const malformed = await play(answer(200, '{"data": ['));
  await expect(malformed.call()).rejects.toThrow('The provider answered something that is not JSON');
  const redirect = await play(answer(302, '', { location: 'http://169.254.169.254/' }));
  await expect(redirect.call()).rejects.toMatchObject({ status: 302 });
  expect([malformed.calls(), redirect.calls()]).toEqual([1, 1]);
});

test('a forbidden address is an error without a retry', async () => {
  const { call, clock } = await play(fine);
  await expect(call({ url: 'http://10.0.0.1/' })).rejects.toThrow(/not at a public address/);
  expect(clock.pauses).toEqual([]);
});

test('a cancelled call ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const { call } = await play(() => controller.abort(new Error('no longer wanted')));
  await expect(call({ signal: controller.signal })).rejects.toThrow('no longer wanted');
});
