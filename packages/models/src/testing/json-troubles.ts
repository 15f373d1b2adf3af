/** Failures of a provider that answers JSON, with the expected outcome of each. Only imported by tests. */
import { expect } from 'vitest';
import { ProviderError } from '../remote/provider-error.ts';
import type { FakeClock } from './fake-clock.ts';
import { answer, silence, type Act } from './wire-server.ts';

export const KEY = 'sk-conformance-0123456789';

export interface Troubled {
  call: () => Promise<unknown>;
  clock: FakeClock;
  /** Returns the number of requests. */
  count: () => number;
}

const truncated: Act = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"data": [', () => setImmediate(() => response.destroy()));
};

interface Trouble {
  name: string;
  acts: readonly Act[];
  message: string;
  status: number | null;
  /** Expected number of requests, and the pauses between them. */
  requests: number;
  pauses: readonly number[];
}

const BACKOFF = [500, 1000, 2000, 4000];

/** Every one ends in a failure. */
export const TROUBLES: readonly Trouble[] = [
  {
    name: '429 for ever is waited for as long as it asks, then given up',
    acts: [answer(429, '{}', { 'retry-after': '7' })],
    message: 'The provider answered 429: too many requests, or the quota is used up',
    status: 429,
    requests: 5,
    pauses: [7000, 7000, 7000, 7000],
  },
  {
    name: '429 until tomorrow is given up at once',
    acts: [answer(429, '{}', { 'retry-after': '86400' })],
    message: 'The provider answered 429: too many requests, or the quota is used up',
    status: 429,
    requests: 1,
    pauses: [],
  },
  {
    name: '500 for ever is tried again with growing pauses',
    acts: [answer(500, '{"error":{"message":"sorry"}}')],
    message: 'The provider answered 500',
    status: 500,
    requests: 5,
    pauses: BACKOFF,
  },
  {
    name: 'an answer that breaks off is asked for again',
    acts: [truncated],
    message: 'cannot be reached',
    status: null,
    requests: 5,
    pauses: BACKOFF,
  },
  {
    name: 'silence is a timeout',
    acts: [silence],
    message: 'did not answer in time',
    status: null,
    requests: 5,
    pauses: BACKOFF,
  },
  {
    name: 'what is not JSON is not asked for again',
    acts: [answer(200, '<html>')],
    message: 'The provider answered something that is not JSON',
    status: 200,
    requests: 1,
    pauses: [],
  },
  {
    name: 'a refusal has the provider’s words without the key',
    acts: [answer(400, `{"error":{"message":"no model m for ${KEY}"}}`)],
    message: 'The provider answered 400: no model m for ••••',
    status: 400,
    requests: 1,
    pauses: [],
  },
  {
    name: 'a key that is not accepted is said without its words',
    acts: [answer(401, `{"error":{"message":"Incorrect API key: ${KEY}"}}`)],
    message: 'The provider answered 401: it does not accept the key',
    status: 401,
    requests: 1,
    pauses: [],
  },
];

export async function expectTrouble(trouble: Trouble, { call, clock, count }: Troubled): Promise<void> {
  const error = await call().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  const { type, status, message } = error as ProviderError;
  expect({ type, status }).toEqual({ type: 'provider_error', status: trouble.status });
  expect(message).toContain(trouble.message);
  expect(message).not.toContain(KEY);
  expect([count(), clock.pauses]).toEqual([trouble.requests, trouble.pauses]);
}
