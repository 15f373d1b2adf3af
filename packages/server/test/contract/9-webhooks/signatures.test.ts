/** CONTRACT section 9: what is delivered, and how it is signed. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { createCollection, createDocument, createRun, createWorkspace, type AnyRecord } from '../../factories.ts';
import type { Received } from '@quire/outbound/testing/receiver';
import {
  SECRET,
  WHSEC,
  UUID,
  TIMESTAMP,
  type Delivery,
  service,
  receiver,
  database,
  workspace,
  send,
  place,
  subscribe,
  emit,
  logWhen,
  useWebhooks,
} from './deliveries.ts';

useWebhooks();

test('a document that becomes ready or fails is delivered with ids, state, name and error', async () => {
  const path = place();
  const webhook = await subscribe(path, { events: ['document.ready', 'document.failed'] });
  const collection = await createCollection(service, workspace);
  const ready = await createDocument(service, collection);
  const failed = await createDocument(service, collection, { name: 'empty.md', content: ' \n ' });
  const payloads = (await receiver.wait(2, path)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  const payload = (type: string, id: string, name: string, outcome: object) => ({
    id: expect.stringMatching(UUID),
    type,
    createdAt: expect.stringMatching(TIMESTAMP),
    workspaceId: workspace.id,
    data: { documentId: id, collectionId: collection.id, name, revision: 1, ...outcome },
  });
  const error = { type: 'no_text', message: expect.any(String) };
  expect(payloads.toSorted((a, b) => (String(a['type']) < String(b['type']) ? 1 : -1))).toEqual([
    payload('document.ready', ready.id, 'note.md', { status: 'ready', error: null, warnings: [] }),
    payload('document.failed', failed.id, 'empty.md', { status: 'failed', error, warnings: [] }),
  ]);
  const found = await logWhen((all) => all.length === 2 && all.every((each) => each.status === 'delivered'));
  expect(
    found.map(({ webhookId, statusCode, attempts, error: reason }) => [webhookId, statusCode, attempts, reason]),
  ).toEqual([
    [webhook.id, 204, 1, null],
    [webhook.id, 204, 1, null],
  ]);
  const after = await send('GET', `/webhooks/${webhook.id}`);
  expect([after.data['lastStatusCode'], after.data['lastDeliveryAt']]).toEqual([204, expect.stringMatching(TIMESTAMP)]);
});

test('a run that ends is delivered with its id, state, files and error', async () => {
  const path = place();
  await subscribe(path, { events: ['process.completed'] });
  const run = await createRun(service, workspace, { files: { 'note.md': 'A note about leases.' } });
  const [{ body }] = (await receiver.wait(1, path)) as [Received];
  expect(JSON.parse(body)).toMatchObject({
    type: 'process.completed',
    workspaceId: workspace.id,
    data: { runId: run.id, status: 'done', files: ['note.md'], error: null },
  });
});

const hex = (secret: string, t: string, body: string) =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');

test('X-Service-Signature is the time and the MAC over time and raw body, keyed with the secret as it is written', async () => {
  for (const signingSecret of [SECRET, WHSEC, 'ein Geheimnis mit Ümläuten 🔑']) {
    const path = place();
    await subscribe(path, { signingSecret });
    await emit();
    const [{ headers, body }] = (await receiver.wait(1, path)) as [Received];
    const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
    expect(v1).toBe(hex(signingSecret, t, body));
    expect([headers['content-type'], Math.abs(Number(t) - Date.now() / 1000) < 60]).toEqual(['application/json', true]);
    await send('DELETE', `/webhooks/${(await send<{ items: AnyRecord[] }>('GET', '/webhooks')).data.items[0]!.id}`);
  }
});

test('the standardwebhooks and svix libraries verify deliveries as they are', async () => {
  const [path, raw] = [place(), place()];
  await subscribe(path, { signingSecret: WHSEC });
  await subscribe(raw);
  await emit();
  const [{ body, headers }] = (await receiver.wait(1, path)) as [Received];
  const sent = headers as Record<string, string>;
  const payload = JSON.parse(body) as { id: string };
  expect(new StandardWebhook(WHSEC).verify(body, sent)).toEqual(payload);
  expect(new SvixWebhook(WHSEC).verify(body, sent)).toEqual(payload);
  expect(payload.id).toBe(sent['webhook-id']);
  expect(() => new StandardWebhook(WHSEC).verify(`${body} `, sent)).toThrow('No matching signature');
  const [other] = (await receiver.wait(1, raw)) as [Received];
  const verifier = new StandardWebhook(SECRET, { format: 'raw' });
  expect(verifier.verify(other.body, other.headers as Record<string, string>)).toEqual(payload);
});

test('the code that README shows verifies deliveries, also during a rotation, and nothing else', async () => {
  const readme = readFileSync(new URL('../../../../../README.md', import.meta.url), 'utf8');
  const code = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isFromQuire(header: string, rawBody: string, secret: string): boolean;
  };
  const path = place();
  const { id } = await subscribe(path);
  await send('PATCH', `/webhooks/${id}`, { signingSecret: WHSEC });
  await emit();
  const [{ body, headers }] = (await receiver.wait(1, path)) as [Received];
  const header = String(headers['x-service-signature']);
  const verify = (text: string, raw: string, secret: string) => module.isFromQuire(text, raw, secret);
  expect([verify(header, body, WHSEC), verify(header, body, SECRET)]).toEqual([true, true]);
  expect([verify(header, `${body} `, SECRET), verify(header, body, 'x'.repeat(16)), verify('', body, SECRET)]).toEqual([
    false,
    false,
    false,
  ]);
  const old = String(Number(/t=(\d+)/.exec(header)?.[1]) - 600);
  expect(verify(`t=${old},v1=${hex(SECRET, old, body)}`, body, SECRET)).toBe(false);
});

test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
  const path = place();
  const { id } = await subscribe(path, { signingSecret: WHSEC });
  const next = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const changed = await send('PATCH', `/webhooks/${id}`, { signingSecret: next });
  expect([changed.status, changed.data['secretHint']]).toEqual([200, '••••7oD'.slice(0, 4) + next.slice(-4)]);
  await emit();
  const [both] = (await receiver.wait(1, path)) as [Received];
  for (const secret of [WHSEC, next]) new SvixWebhook(secret).verify(both.body, both.headers as Record<string, string>);
  const past = new Date(Date.now() - 1000).toISOString();
  await sql`update webhooks set previous_secrets = jsonb_set(previous_secrets, '{0,expiresAt}', to_jsonb(${past}::text))
    where id = ${id}`.execute(database.db);
  await emit();
  const [, alone] = (await receiver.wait(2, path)) as [Received, Received];
  const verify = (secret: string) =>
    new SvixWebhook(secret).verify(alone.body, alone.headers as Record<string, string>);
  expect(() => verify(WHSEC)).toThrow('No matching signature');
  verify(next);
});

test('a delivery shows the body that was sent, as it was signed', async () => {
  const path = place();
  await subscribe(path);
  await emit({ documentId: 'd', name: 'Übersicht.pdf' });
  const [{ body }] = (await receiver.wait(1, path)) as [Received];
  const [delivery] = await logWhen((all) => all[0]?.status === 'delivered');
  const shown = await send<Delivery>('GET', `/deliveries/${delivery!.id}`);
  expect([shown.status, shown.data]).toEqual([200, { ...delivery, body }]);
  expect(Object.keys(delivery!)).not.toContain('body');
  const elsewhere = await createWorkspace(service);
  const foreign = await service.call('GET', `${elsewhere.url}/deliveries/${delivery!.id}`, { key: elsewhere.admin });
  expect(foreign.status).toBe(404);
});

test('content over 20 kB is cut, and the payload says so', async () => {
  const path = place();
  await subscribe(path);
  await emit({ documentId: 'd', name: 'n', error: { type: 'internal', message: 'x'.repeat(50_000) } });
  const [{ body }] = (await receiver.wait(1, path)) as [Received];
  expect(body.length).toBeLessThan(20_000);
  expect(JSON.parse(body)).toMatchObject({
    data: { documentId: 'd', name: 'n', error: { type: 'internal' }, truncated: true },
  });
});
