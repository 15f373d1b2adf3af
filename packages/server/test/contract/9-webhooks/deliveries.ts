/** A service, a receiver and the log of deliveries, for the tests of webhooks. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { sql } from 'kysely';
import { connectDatabase, type DatabaseHandle } from '../../../src/database/connect.ts';
import { NOTIFICATION_CHANNEL } from '../../../src/database/notifications.ts';
import { recordEvent } from '../../../src/domain/events/outbox.ts';
import { DELIVERIES_TOPIC } from '../../../src/domain/webhooks/types.ts';
import { createLogger } from '../../../src/logger.ts';
import { createWorkspace, type AnyRecord, type TestWorkspace } from '../../factories.ts';
import { startReceiver, type Receiver, type Respond } from '@quire/outbound/testing/receiver';
import { startTestService, type TestService } from '../../server.ts';

export const SECRET = 'a-signing-secret-of-the-tests';
export const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const UUID = /^[0-9a-f-]{36}$/;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export interface Delivery extends AnyRecord {
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

export let service: TestService;
export let receiver: Receiver;
export let database: DatabaseHandle;
export let workspace: TestWorkspace;
export const answers = new Map<string, Respond>();
let paths = 0;

export const send = <T = AnyRecord>(method: string, path: string, json?: unknown) =>
  service.call<T>(method, `${workspace.url}${path}`, {
    key: workspace.admin,
    ...(json === undefined ? {} : { json }),
  });

/** Returns a path of the receiver that no other test uses, and sets its answers. */
export function place(respond?: Respond): string {
  paths += 1;
  if (respond !== undefined) answers.set(`/${paths}`, respond);
  return `/${paths}`;
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (_, response) =>
    void response.writeHead(code, headers).end(body);

export async function subscribe(path: string, fields: object = {}): Promise<AnyRecord> {
  const body = { name: 'Hook', url: receiver.url + path, signingSecret: SECRET, events: ['document.ready'], ...fields };
  const answer = await send('POST', '/webhooks', body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data;
}

export const emit = (
  content: Record<string, unknown> = { documentId: 'd' },
  type: 'document.ready' | 'document.failed' = 'document.ready',
) => database.db.transaction().execute((transaction) => recordEvent(transaction, workspace.id, type, content));

export const log = async (query = ''): Promise<Delivery[]> =>
  (await send<{ items: Delivery[] }>('GET', `/deliveries${query}`)).data.items;

/** Returns the log once `isThere` holds, as results are written shortly after the receiver has answered. */
export async function logWhen(isThere: (deliveries: Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const found = await log();
    if (isThere(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const attempted = (count: number) => (found: Delivery[]) =>
  found.length > 0 && found.every(({ attempts }) => attempts >= count);

/** Makes pending retries due, as if the time had passed. */
export async function passTime(): Promise<void> {
  await sql`update deliveries set next_attempt_at = now() where status = 'pending' and claim_token is null
    and workspace_id = ${workspace.id}`.execute(database.db);
  await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${DELIVERIES_TOPIC})`.execute(database.db);
}

/** Prevents automatic retries of failed deliveries for the duration of a test. */
export const holdRetries = () =>
  sql`update deliveries set next_attempt_at = now() + interval '1 hour' where status = 'pending'
    and claim_token is null and workspace_id = ${workspace.id}`.execute(database.db);

/** Returns whether a delay fits the schedule, with its jitter of up to a tenth and the delay of a slow machine. */
export const isDelay = (seconds: number, due: number): boolean => seconds > due - 1 && seconds < due * 1.1 + 120;

export async function waitFor(webhookId: string, wanted: string): Promise<AnyRecord> {
  for (;;) {
    const { data } = await send('GET', `/webhooks/${webhookId}`);
    if (data['status'] === wanted) return data;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Starts service and receiver for the tests of a file; each test has a workspace of its own. */
export function useWebhooks(): void {
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
}
