import pino from 'pino';
import { expect, test } from 'vitest';
import type { SettledAttempt } from '../domain/webhooks/settlement.ts';
import { WebhookDeliverer, type WebhookDelivererDeps } from './deliver-webhooks.ts';

/** Runs a deliverer for one delivery, whose result is stored after these failures. Returns the stored results. */
async function settledAfter(failures: Error[]): Promise<string[]> {
  const stored: string[] = [];
  let claimed = [{ id: 'd', host: 'h' }];
  const deps = {
    dispatch: { run: async () => false },
    claims: { take: async () => claimed.splice(0), release: async () => undefined },
    attempts: { make: async () => ({ silent: false }) },
    settlement: {
      settle: async (results: SettledAttempt[]) => {
        if (results.length === 0) return;
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        stored.push(...results.map(({ delivery }) => delivery.id));
      },
    },
    notifications: { subscribe: () => () => undefined },
    logger: pino({ level: 'silent' }),
  } as unknown as WebhookDelivererDeps;
  const deliverer = new WebhookDeliverer(deps).start();
  await expect.poll(() => failures.length + claimed.length, { timeout: 20_000 }).toBe(0);
  claimed = [];
  await deliverer.stop();
  return stored;
}

test('a result is kept while the database is away, and stored once it is back', async () => {
  const lost = () => new Error('Connection terminated unexpectedly');
  expect(await settledAfter([lost(), lost()])).toEqual(['d']);
});

test('a result that cannot be stored for another reason is dropped after a second try', async () => {
  expect(await settledAfter([new Error('no'), new Error('no')])).toEqual([]);
});
