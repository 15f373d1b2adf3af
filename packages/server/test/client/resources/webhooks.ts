/** Webhooks and deliveries through the client. */
import { NotFoundError } from '@quire/client';
import { expect, test } from 'vitest';
import { quire } from './service.ts';

test('webhooks and deliveries', async () => {
  const fields = { name: 'W', url: 'https://receiver.invalid/', signingSecret: 's'.repeat(16) };
  const made = await quire.webhooks.create({ ...fields, events: ['document.ready'] });
  expect(await quire.webhooks.update(made.id, { name: 'V' })).toMatchObject({ name: 'V' });
  const delivery = await quire.webhooks.test(made.id);
  expect(await quire.deliveries.get(delivery.id)).toMatchObject({ webhookId: made.id, event: 'webhook.test' });
  expect((await quire.webhooks.deliveries(made.id).all()).map(({ id }) => id)).toEqual([delivery.id]);
  expect((await quire.deliveries.list().all()).map(({ id }) => id)).toContain(delivery.id);
  expect(await quire.webhooks.get(made.id)).toMatchObject({ name: 'V' });
  expect((await quire.webhooks.list().all()).map(({ id }) => id)).toContain(made.id);
  expect(await quire.deliveries.redeliver(delivery.id)).toMatchObject({ webhookId: made.id });
  expect(await quire.deliveries.redeliverFailed({ webhookId: made.id })).toMatchObject({
    redelivered: expect.any(Number),
  });
  await quire.webhooks.delete(made.id);
  await expect(quire.webhooks.get(made.id)).rejects.toThrow(NotFoundError);
});
