/** CONTRACT section 9: subscriptions, signatures, deliveries. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { connectDatabase, type DatabaseHandle } from '../../src/database/connect.ts';
import { NOTIFICATION_CHANNEL } from '../../src/database/notifications.ts';
import { recordEvent } from '../../src/domain/events/outbox.ts';
import { DELIVERIES_TOPIC } from '../../src/domain/webhooks/types.ts';
import { createLogger } from '../../src/logger.ts';
import {
  createCollection,
  createDocument,
  createRun,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startReceiver, type Received, type Receiver, type Respond } from '@quire/outbound/testing/receiver';
import { startTestService, type TestService } from '../server.ts';

const SECRET = 'a-signing-secret-of-the-tests';
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Delivery extends AnyRecord {
  webhookId: string;
  event: string;
  eventId: string;
  status: string;
  attempts: number;
  nextAttemptAt: string | null;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
  history: { at: string; statusCode: number | null }[];
}

let service: TestService;
let receiver: Receiver;
let database: DatabaseHandle;
let workspace: TestWorkspace;
const answers = new Map<string, Respond>();
let paths = 0;

beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    const respond = answers.get(request.path);
    if (respond === undefined) response.writeHead(204).end();
    else respond(request, response);
  });
  service = await startTestService({
    QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1,localhost',
    QUIRE_EXTRA_CA_FILE: receiver.caFile,
  });
  database = connectDatabase({
    connection: service.connectionString,
    poolSize: 2,
    applicationName: 'quire test',
    logger: createLogger({ level: 'silent' }),
  });
});
afterAll(async () => {
  await database.close();
  await service.stop();
  await receiver.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(service);
});

const send = <T = AnyRecord>(method: string, path: string, json?: unknown) =>
  service.call<T>(method, `${workspace.url}${path}`, {
    key: workspace.admin,
    ...(json === undefined ? {} : { json }),
  });

/** Returns a path of the receiver that no other test uses, and sets its answers. */
function place(respond?: Respond): string {
  paths += 1;
  if (respond !== undefined) answers.set(`/${paths}`, respond);
  return `/${paths}`;
}

const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (_, response) =>
    void response.writeHead(code, headers).end(body);

async function subscribe(path: string, fields: object = {}): Promise<AnyRecord> {
  const body = { name: 'Hook', url: receiver.url + path, signingSecret: SECRET, events: ['document.ready'], ...fields };
  const answer = await send('POST', '/webhooks', body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data;
}

const emit = (
  content: Record<string, unknown> = { documentId: 'd' },
  type: 'document.ready' | 'document.failed' = 'document.ready',
) => database.db.transaction().execute((transaction) => recordEvent(transaction, workspace.id, type, content));

const log = async (query = ''): Promise<Delivery[]> =>
  (await send<{ items: Delivery[] }>('GET', `/deliveries${query}`)).data.items;

/** Returns the log once `isThere` holds, as results are written shortly after the receiver has answered. */
async function logWhen(isThere: (deliveries: Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const found = await log();
    if (isThere(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const attempted = (count: number) => (found: Delivery[]) =>
  found.length > 0 && found.every(({ attempts }) => attempts >= count);

/** Makes pending retries due, as if the time had passed. */
async function passTime(): Promise<void> {
  await sql`update deliveries set next_attempt_at = now() where status = 'pending' and claim_token is null
    and workspace_id = ${workspace.id}`.execute(database.db);
  await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${DELIVERIES_TOPIC})`.execute(database.db);
}

/** Prevents automatic retries of failed deliveries for the duration of a test. */
const holdRetries = () =>
  sql`update deliveries set next_attempt_at = now() + interval '1 hour' where status = 'pending'
    and claim_token is null and workspace_id = ${workspace.id}`.execute(database.db);

/** Returns whether a delay fits the schedule, with its jitter of up to a tenth and the delay of a slow machine. */
const isDelay = (seconds: number, due: number): boolean => seconds > due - 1 && seconds < due * 1.1 + 120;

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
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
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

async function waitFor(webhookId: string, wanted: string): Promise<AnyRecord> {
  for (;;) {
    const { data } = await send('GET', `/webhooks/${webhookId}`);
    if (data['status'] === wanted) return data;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

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
