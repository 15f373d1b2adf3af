/** CONTRACT section 9: attempts, redeliveries and the log. */
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Received } from '@quire/outbound/testing/receiver';
import {
  WHSEC,
  type Delivery,
  receiver,
  database,
  workspace,
  answers,
  send,
  place,
  status,
  subscribe,
  emit,
  log,
  logWhen,
  attempted,
  passTime,
  isDelay,
  useWebhooks,
} from './deliveries.ts';

useWebhooks();

test('what fails is tried again with the same id and a time and signature of its own, until it arrives', async () => {
  let count = 0;
  const path = place((_, response) => {
    count += 1;
    response.writeHead(count < 3 ? 500 : 200).end(`answer ${count}`);
  });
  await subscribe(path, { signingSecret: WHSEC });
  await emit();
  const [first] = await logWhen(attempted(1));
  const wait = (Date.parse(first!.nextAttemptAt!) - Date.parse(first!.history[0]!.at)) / 1000;
  expect([first!.status, first!.statusCode, first!.responseBody, isDelay(wait, 5)]).toEqual([
    'pending',
    500,
    'answer 1',
    true,
  ]);
  await passTime();
  await logWhen(attempted(2));
  await passTime();
  const [last] = await logWhen((all) => all[0]?.status === 'delivered');
  expect(last).toMatchObject({
    attempts: 3,
    statusCode: 200,
    error: null,
    responseBody: 'answer 3',
    nextAttemptAt: null,
  });
  expect(last!.history.map(({ statusCode }) => statusCode)).toEqual([500, 500, 200]);
  const sent = await receiver.wait(3, path);
  expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([last!.eventId]));
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  for (const { body, headers } of sent) new SvixWebhook(WHSEC).verify(body, headers as Record<string, string>);
});

test('after ten attempts a delivery is failed and stays in the log, from where it can be sent again', async () => {
  let works = false;
  const path = place((_, response) => void response.writeHead(works ? 200 : 503).end());
  await subscribe(path);
  await emit();
  const delays: number[] = [];
  for (let attempt = 1; attempt < 10; attempt++) {
    const [delivery] = await logWhen(attempted(attempt));
    delays.push((Date.parse(delivery!.nextAttemptAt!) - Date.parse(delivery!.history.at(-1)!.at)) / 1000);
    await passTime();
  }
  const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  expect(delays.map((delay, at) => isDelay(delay, schedule[at]!))).toEqual(Array(9).fill(true));
  const [failed] = await logWhen((all) => all[0]?.status === 'failed');
  expect(failed).toMatchObject({ attempts: 10, error: 'The receiver answered 503', nextAttemptAt: null });
  expect((await log('?status=failed')).map(({ id }) => id)).toEqual([failed!.id]);
  works = true;
  const again = await send<Delivery>('POST', `/deliveries/${failed!.id}/redeliver`);
  expect([again.status, again.data.status]).toEqual([202, 'pending']);
  const [delivered] = await logWhen((all) => all[0]?.status === 'delivered');
  expect([delivered!.id, delivered!.attempts, delivered!.eventId]).toEqual([failed!.id, 11, failed!.eventId]);
});

test('failed deliveries are sent again by webhook, event and time; others are left alone', async () => {
  const events = ['document.ready', 'document.failed'];
  const [first, second] = [await subscribe(place(), { events }), await subscribe(place(), { events })];
  const gone = await subscribe(place(), { events });
  for (const type of ['document.ready', 'document.failed'] as const) await emit({}, type);
  await logWhen((all) => all.length === 6 && all.every(({ status }) => status === 'delivered'));
  const fail = () =>
    sql`
    update deliveries set status = 'failed' where workspace_id = ${workspace.id} and status = 'delivered'`.execute(
      database.db,
    );
  const redeliver = async (json?: unknown) => {
    const { status, data } = await send<{ redelivered: number }>('POST', '/deliveries/redeliver', json);
    await logWhen((all) => all.every((each) => each.status !== 'pending'));
    return [status, data.redelivered];
  };
  expect(await redeliver({})).toEqual([202, 0]);
  await fail();
  await send('DELETE', `/webhooks/${gone.id}`);
  expect(await redeliver({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([202, 0]);
  expect(await redeliver({ webhookId: first.id, event: 'document.ready' })).toEqual([202, 1]);
  const resent = (await log('?status=delivered')).map(({ webhookId, event }) => [webhookId, event]);
  expect(resent).toEqual([[first.id, 'document.ready']]);
  expect(await redeliver({ since: new Date(Date.now() - 60_000).toISOString() })).toEqual([202, 3]);
  expect((await log('?status=failed')).map(({ webhookId }) => webhookId)).toEqual([gone.id, gone.id]);
  await fail();
  await send('PATCH', `/webhooks/${second.id}`, { status: 'disabled' });
  expect(await redeliver()).toEqual([202, 2]);
});

test('a redelivery is refused for a disabled webhook, and for each invalid field by its name', async () => {
  const disabled = await subscribe(place());
  await send('PATCH', `/webhooks/${disabled.id}`, { status: 'disabled' });
  const refused = async (json: unknown) => {
    const { status, detail } = await send('POST', '/deliveries/redeliver', json);
    return [status, ...detail.map(({ type, loc }) => [type, ...loc])];
  };
  expect(await refused({ webhookId: disabled.id })).toEqual([409, ['conflict']]);
  expect(await refused({ webhookId: workspace.id })).toEqual([422, ['value_error', 'body', 'webhookId']]);
  expect(await refused({ webhookId: 'x', event: 'webhook.test', since: 'yesterday', more: 1 })).toEqual([
    422,
    ['uuid_parsing', 'body', 'webhookId'],
    ['enum', 'body', 'event'],
    ['datetime_from_date_parsing', 'body', 'since'],
    ['extra_forbidden', 'body', 'more'],
  ]);
});

test('Retry-After is honoured if it is later than the schedule', async () => {
  const path = place(status(429, { 'retry-after': '3600' }));
  await subscribe(path);
  await emit();
  const [delivery] = await logWhen(attempted(1));
  const wait = (Date.parse(delivery!.nextAttemptAt!) - Date.parse(delivery!.history[0]!.at)) / 1000;
  expect([delivery!.status, isDelay(wait, 3600)]).toEqual(['pending', true]);
});

test('a redirect is a failure and is not followed', async () => {
  const target = place();
  const path = place(status(307, { location: receiver.url + target }));
  await subscribe(path);
  await emit();
  const [delivery] = await logWhen(attempted(1));
  expect(delivery).toMatchObject({
    status: 'pending',
    statusCode: 307,
    error: 'The receiver answered 307: redirects are not followed',
  });
  expect(receiver.received.filter((each) => each.path === target)).toEqual([]);
});

test('of an answer 2 kB are kept', async () => {
  const path = place(status(200, {}, `\0${'é'.repeat(40_000)}`));
  await subscribe(path);
  await emit();
  const [delivery] = await logWhen(attempted(1));
  expect([delivery!.status, delivery!.responseBody]).toEqual(['delivered', `\uFFFD${'é'.repeat(1023)}`]);
});

test('one receiver that hangs delays no other', async () => {
  const hanging = place(() => undefined);
  const slow = await subscribe('', { url: receiver.url.replace('127.0.0.1', 'localhost') + hanging });
  for (let count = 0; count < 100; count++) await emit();
  await receiver.wait(2, hanging);
  const path = place();
  await subscribe(path);
  await emit();
  await receiver.wait(1, path);
  // Deliveries in order would have reached this path only after an attempt at each of the others.
  const untried = (await log('?limit=100')).filter((each) => each.webhookId === slow.id && each.attempts === 0);
  expect(untried.length).toBeGreaterThan(0);
  await send('DELETE', `/webhooks/${slow.id}`);
});

test('a test sends a signed example at once and returns the answer, without retries', async () => {
  const path = place(status(418, {}, 'short and stout'));
  const webhook = await subscribe(path, { signingSecret: WHSEC });
  const answer = await send<Delivery>('POST', `/webhooks/${webhook.id}/test`);
  expect([answer.status, answer.data]).toEqual([
    200,
    expect.objectContaining({
      event: 'webhook.test',
      status: 'failed',
      attempts: 1,
      statusCode: 418,
      responseBody: 'short and stout',
    }),
  ]);
  const [{ body, headers }] = (await receiver.wait(1, path)) as [Received];
  expect(new SvixWebhook(WHSEC).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
    workspaceId: workspace.id,
    data: { webhookId: webhook.id, name: 'Hook' },
  });
  answers.set(path, status(200));
  expect((await send<Delivery>('POST', `/webhooks/${webhook.id}/test`)).data.status).toBe('delivered');
});

test('the log is filtered by status and event, for the workspace and for each webhook', async () => {
  const good = await subscribe(place(), { events: ['document.ready', 'document.failed'] });
  const bad = await subscribe(place(status(500)));
  await emit();
  await emit({}, 'document.failed');
  await logWhen((all) => all.length === 3 && attempted(1)(all));
  const kinds = async (url: string) => {
    const { data } = await send<{ items: Delivery[]; total: number }>('GET', url);
    return [data.total, ...data.items.map((each) => `${each.event} ${each.status}`).toSorted()];
  };
  expect(await kinds('/deliveries')).toEqual([
    3,
    'document.failed delivered',
    'document.ready delivered',
    'document.ready pending',
  ]);
  expect(await kinds('/deliveries?status=pending')).toEqual([1, 'document.ready pending']);
  expect(await kinds('/deliveries?event=document.failed&status=delivered')).toEqual([1, 'document.failed delivered']);
  expect(await kinds(`/webhooks/${good.id}/deliveries?event=document.ready`)).toEqual([1, 'document.ready delivered']);
  expect(await kinds(`/webhooks/${bad.id}/deliveries?limit=1`)).toEqual([1, 'document.ready pending']);
  const wrong = await send('GET', '/deliveries?status=lost&event=x');
  expect(wrong.detail.map(({ type, loc }) => [type, ...loc])).toEqual([
    ['enum', 'query', 'status'],
    ['enum', 'query', 'event'],
  ]);
});
