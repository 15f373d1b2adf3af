/** CONTRACT section 9: subscriptions and who may change them. */
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import {
  SECRET,
  WHSEC,
  UUID,
  TIMESTAMP,
  service,
  receiver,
  database,
  workspace,
  send,
  place,
  status,
  subscribe,
  emit,
  log,
  logWhen,
  attempted,
  holdRetries,
  waitFor,
  useWebhooks,
} from './deliveries.ts';

useWebhooks();

test('a webhook is answered without its secret, only with a hint of it', async () => {
  const url = `${receiver.url}/hook`;
  const body = { name: 'Back office', url, signingSecret: SECRET, events: ['document.ready', 'process.completed'] };
  const made = await send('POST', '/webhooks', body);
  expect([made.status, made.data]).toEqual([
    201,
    {
      id: expect.stringMatching(UUID),
      workspaceId: workspace.id,
      name: 'Back office',
      url,
      events: ['document.ready', 'process.completed'],
      status: 'active',
      disabledReason: null,
      secretHint: '••••ests',
      createdAt: expect.stringMatching(TIMESTAMP),
      modifiedAt: expect.stringMatching(TIMESTAMP),
      lastDeliveryAt: null,
      lastStatusCode: null,
    },
  ]);
  expect((await send('GET', `/webhooks/${made.data.id}`)).data).toEqual(made.data);
  expect((await send<{ items: unknown[] }>('GET', '/webhooks')).data.items).toEqual([made.data]);
});

test('everything wrong with a subscription is said at once, and nothing of the secret', async () => {
  const answer = await send('POST', '/webhooks', {
    name: '',
    url: 'http://hooks.example/x',
    signingSecret: 'too-short',
    events: ['document.ready', 'document.gone'],
    more: true,
  });
  const expected = "'process.completed', 'document.ready', 'document.failed' or 'connector.synced'";
  expect([answer.status, answer.detail]).toEqual([
    422,
    [
      {
        loc: ['body', 'name'],
        msg: 'String should have at least 1 character',
        type: 'string_too_short',
        input: '',
        ctx: { min_length: 1 },
      },
      {
        loc: ['body', 'url'],
        msg: "URL scheme should be 'https'",
        type: 'url_scheme',
        input: 'http://hooks.example/x',
        ctx: { expected_schemes: "'https'" },
      },
      {
        loc: ['body', 'signingSecret'],
        msg: 'String should have at least 16 characters',
        type: 'string_too_short',
        ctx: { min_length: 16 },
      },
      {
        loc: ['body', 'events', 1],
        msg: `Input should be ${expected}`,
        type: 'enum',
        input: 'document.gone',
        ctx: { expected },
      },
      { loc: ['body', 'more'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: true },
    ],
  ]);
  const missing = await send('POST', '/webhooks', {});
  expect(missing.detail.map(({ type, loc }) => [type, loc[1]])).toEqual([
    ['missing', 'name'],
    ['missing', 'url'],
    ['missing', 'signingSecret'],
    ['missing', 'events'],
  ]);
});

test('secrets of 16 to 256 characters are taken, and those with whsec_ only when the rest is base64', async () => {
  const body = { name: 'x', url: 'https://receiver.invalid/x', events: ['document.ready'] };
  const types = async (signingSecret: string) => {
    const answer = await send('POST', '/webhooks', { ...body, signingSecret });
    return answer.status === 201 ? 201 : answer.detail.map(({ type }) => type).join();
  };
  expect(await Promise.all(['x'.repeat(15), 'x'.repeat(16), 'x'.repeat(256), 'x'.repeat(257)].map(types))).toEqual([
    'string_too_short',
    201,
    201,
    'string_too_long',
  ]);
  expect(await Promise.all([WHSEC, `${WHSEC}=`, 'whsec_not base64 at all', 'whsec_abcdefghijklm'].map(types))).toEqual([
    201,
    'value_error',
    'value_error',
    'value_error',
  ]);
});

test('an address inside is refused, at creation and at a change; a name that does not resolve yet is taken', async () => {
  const fields = { name: 'x', signingSecret: SECRET, events: ['document.ready'] };
  for (const url of ['https://10.0.0.1/x', 'https://[::1]/', 'https://169.254.169.254/latest', 'https://0x7f.2/']) {
    const answer = await send('POST', '/webhooks', { ...fields, url });
    expect([url, answer.status, answer.detail[0]?.type, answer.detail[0]?.loc]).toEqual([
      url,
      422,
      'value_error',
      ['body', 'url'],
    ]);
  }
  const made = await send('POST', '/webhooks', { ...fields, url: 'https://receiver.invalid/x' });
  expect(made.status).toBe(201);
  const changed = await send('PATCH', `/webhooks/${made.data.id}`, { url: 'https://192.168.1.1/' });
  expect([changed.status, changed.detail[0]?.type]).toEqual([422, 'value_error']);
  const credentials = await send('PATCH', `/webhooks/${made.data.id}`, { url: 'https://name:word@receiver.invalid/' });
  expect([credentials.status, credentials.text.includes('word')]).toEqual([422, false]);
});

test('410 disables the webhook at once: what is queued is cancelled, nothing more is queued', async () => {
  const path = place(status(410));
  const webhook = await subscribe(path);
  await emit();
  await logWhen((all) => all[0]?.status === 'failed');
  const disabled = await waitFor(webhook.id, 'disabled');
  expect(disabled['disabledReason']).toBe('The receiver answered 410 Gone');
  await emit();
  const other = await subscribe(place());
  await emit();
  await logWhen((all) => all.some(({ webhookId }) => webhookId === other.id));
  expect((await log()).filter(({ webhookId }) => webhookId === webhook.id).length).toBe(1);
  const active = await send('PATCH', `/webhooks/${webhook.id}`, { status: 'active' });
  expect([active.data['status'], active.data['disabledReason']]).toEqual(['active', null]);
});

test('five days of failures disable the webhook with the reason; a success restarts the period', async () => {
  let works = true;
  const path = place((_, response) => void response.writeHead(works ? 200 : 500).end());
  const webhook = await subscribe(path);
  const failingFor = (days: number) =>
    sql`update webhooks set failing_since = now() - ${days} * interval '1 day' where id = ${webhook.id}`.execute(
      database.db,
    );
  await failingFor(6);
  await emit();
  await logWhen(([each]) => each?.status === 'delivered');
  works = false;
  await emit();
  await logWhen((all) => all.length === 2 && attempted(1)(all));
  await holdRetries();
  expect((await send('GET', `/webhooks/${webhook.id}`)).data['status']).toBe('active');
  await failingFor(5);
  await emit();
  const disabled = await waitFor(webhook.id, 'disabled');
  expect(disabled['disabledReason']).toMatch(/^Nothing but failures since \d{4}-/);
  expect((await log()).map((each) => each.status)).toEqual(['cancelled', 'cancelled', 'delivered']);
  const refused = await send('POST', `/deliveries/${(await log())[0]!.id}/redeliver`);
  expect([refused.status, refused.detail[0]?.type, refused.detail[0]?.ctx]).toEqual([
    409,
    'conflict',
    { webhookId: webhook.id, status: 'disabled' },
  ]);
});

test('DELETE is final and stops what is queued; the log stays', async () => {
  const path = place(status(500));
  const webhook = await subscribe(path);
  await emit();
  await logWhen(attempted(1));
  const removed = await send('DELETE', `/webhooks/${webhook.id}`);
  expect([removed.status, removed.data.id, (await send('GET', `/webhooks/${webhook.id}`)).status]).toEqual([
    200,
    webhook.id,
    404,
  ]);
  expect((await send('DELETE', `/webhooks/${webhook.id}`)).status).toBe(404);
  const [cancelled] = await log();
  expect(cancelled).toMatchObject({
    status: 'cancelled',
    error: 'The webhook was deleted',
    attempts: 1,
    nextAttemptAt: null,
  });
  const again = await send('POST', `/deliveries/${cancelled!.id}/redeliver`);
  expect([again.status, again.detail[0]?.type]).toEqual([409, 'conflict']);
});

test('only keys with admin change webhooks; a reader sees them and the log', async () => {
  const webhook = await subscribe(place());
  const answer = await service.call<{ key: string }>('POST', `${workspace.url}/keys`, {
    json: { name: 'r', permission: 'write' },
  });
  const { key } = answer.data;
  const call = async (method: string, path: string) =>
    (await service.call(method, `${workspace.url}${path}`, { key })).status;
  expect([
    await call('GET', '/webhooks'),
    await call('GET', `/webhooks/${webhook.id}/deliveries`),
    await call('POST', '/webhooks'),
    await call('POST', `/webhooks/${webhook.id}/test`),
    await call('DELETE', `/webhooks/${webhook.id}`),
  ]).toEqual([200, 200, 403, 403, 403]);
});
