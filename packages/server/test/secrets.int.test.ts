// large: starts and kills whole services
/** Credentials are never exposed, are bound to their record, and are re-encrypted under a new secret key. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { deriveSecrets } from '../src/config/secrets.ts';
import { connectDatabase, type DatabaseHandle } from '../src/database/connect.ts';
import { openSecrets } from '../src/domain/webhooks/signing-secrets.ts';
import { rotateSecrets } from '../src/domain/configurations/secret-rotation.ts';
import { tokenSecretPlace } from '../src/domain/keys/secret.ts';
import { tokenSecretOf } from '../src/domain/keys/token.ts';
import { createLogger } from '../src/logger.ts';
import { SecretBox } from '../src/shared/secret-box.ts';
import { createWorkspace, type AnyRecord, type TestWorkspace } from './factories.ts';
import { startTestService, type TestService } from './server.ts';

const CANARIES = ['canary-one-5d41402abc4b', 'canary-two-7b2a3f9c11de'] as const;
const SECRET_KEY = 'the-secret-key-of-the-tests';

let service: TestService;
let workspace: TestWorkspace;
let database: DatabaseHandle;
let log = '';

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log += chunk.toString();
      done();
    },
  });
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' }, destination);
  workspace = await createWorkspace(service);
  database = connectDatabase({
    connection: service.connectionString,
    poolSize: 1,
    applicationName: 'quire test',
    logger: createLogger({ level: 'silent' }),
  });
});
afterAll(async () => {
  await database.close();
  await service.stop();
});

/**
 * Statuses of the answers in turn. Each answer repeats the key, as those of some providers do; the last is a stream.
 */
const STATUSES = [400, 401, 403, 404, 422, 200] as const;

async function startEcho(): Promise<string> {
  let calls = 0;
  const server = createServer((request, response) => {
    const status = STATUSES[calls % STATUSES.length] ?? 400;
    calls += 1;
    const error = JSON.stringify({ error: { message: `bad key: ${request.headers.authorization ?? ''}` } });
    const type = status === 200 ? 'text/event-stream' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(status === 200 ? `data: ${error}\n\n` : error);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function dump(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(database.db);
  const parts = tables.rows.map(({ name }) =>
    sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(database.db),
  );
  return (await Promise.all(parts)).flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
}

const signingSecrets = async (box: SecretBox) =>
  (await database.db.selectFrom('webhooks').selectAll().execute()).map((webhook) =>
    openSecrets(box, webhook, Date.now()),
  );

const sealedKeys = async () => {
  const rows = await database.db.selectFrom('configurations').select(['id', 'secrets']).orderBy('id').execute();
  return rows.flatMap(({ id, secrets }) =>
    secrets['apiKey'] === undefined ? [] : [{ id, sealed: secrets['apiKey'] }],
  );
};

test('a key is in no answer, log line, metric, description or row of the database', async () => {
  const seen: string[] = [];
  const send = async (method: string, url: string, json?: unknown) => {
    const answer = await service.call<AnyRecord>(method, url, json === undefined ? {} : { json });
    seen.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  };
  const [first, second] = CANARIES;
  for (const [kind, provider] of [
    ['models', 'provider_a'],
    ['embedders', 'provider_b'],
    ['parsers', 'provider_c'],
  ]) {
    const url = `${workspace.url}/config/${kind}`;
    const config = { provider, model: 'm', apiKey: first };
    const { id } = (await send('POST', url, { name: 'x', config })).data;
    await send('GET', `${url}/${id}`);
    await send('GET', url);
    await send('PATCH', `${url}/${id}`, { config: { apiKey: second } });
    await send('PATCH', `${url}/${id}`, { config: { apiKey: { nested: second }, more: { apiKey: second } } });
    await send('POST', url, { name: 'x', config: { ...config, provider: 'nope' } });
    await send('POST', url, { name: 'x', config: { ...config, apiKey: `${first} ${second}` }, apiKey: first });
    await send('POST', url, [config]);
    await send('DELETE', `${url}/${id}`);
    await send('PUT', `${url}/${id}/undelete`);
  }
  const echo = await startEcho();
  for (const kind of ['models', 'embedders']) {
    const url = `${workspace.url}/config/${kind}`;
    const config = { provider: 'provider_a', model: 'm', baseUrl: echo, apiKey: second };
    const { id } = (await send('POST', url, { name: 'x', config })).data;
    for (let status = 0; status < STATUSES.length; status += 1) await send('POST', `${url}/${id}/test`);
    await send('DELETE', `${url}/${id}?purge=true`);
  }
  const hooks = `${workspace.url}/webhooks`;
  const hook = { name: 'x', url: 'https://receiver.invalid/', events: ['document.ready'] };
  const { id: hookId } = (await send('POST', hooks, { ...hook, signingSecret: first })).data;
  await send('PATCH', `${hooks}/${hookId}`, { signingSecret: second });
  await send('PATCH', `${hooks}/${hookId}`, { signingSecret: [second], more: { signingSecret: second } });
  await send('POST', hooks, { ...hook, events: 'x', signingSecret: `whsec_${first}` });
  await send('POST', hooks, { signingSecret: second });
  await send('POST', `${hooks}/${hookId}/test`);
  await send('GET', hooks);
  await send('GET', `${workspace.url}/deliveries`);
  await send('GET', '/metrics');
  await send('GET', '/openapi.json');
  const rows = await dump();
  expect(rows).toContain(workspace.id);
  expect(log).toContain(workspace.id);
  for (const canary of CANARIES) {
    expect(seen.filter((text) => text.includes(canary))).toEqual([]);
    expect([log.includes(canary), rows.includes(canary)]).toEqual([false, false]);
  }
  const box = new SecretBox(deriveSecrets(SECRET_KEY));
  const opened = (await sealedKeys()).map(({ id, sealed }) => box.open(sealed, `configurations/${id}/apiKey`));
  expect(opened).toEqual([second, second, second]);
  expect(await signingSecrets(box)).toEqual([[second, first]]);
});

test('a rotation re-encrypts every key, can be repeated, and changes nothing if one cannot be decrypted', async () => {
  const [old, next, stranger] = [SECRET_KEY, 'another-key-of-the-tests', 'a-third-key-of-the-tests'].map(
    (secretKey) => new SecretBox(deriveSecrets(secretKey)),
  ) as [SecretBox, SecretBox, SecretBox];
  const before = await sealedKeys();
  await expect(rotateSecrets(database.db, stranger, next)).rejects.toThrow(/sealed with key/);
  expect(await sealedKeys()).toEqual(before);
  expect([await rotateSecrets(database.db, old, next), await rotateSecrets(database.db, old, next)]).toEqual([6, 0]);
  expect(await signingSecrets(next)).toEqual([[CANARIES[1], CANARIES[0]]]);
  const { id, token_secret: tokenSecret } = await database.db
    .selectFrom('api_keys')
    .select(['id', 'token_secret'])
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow();
  const expected = tokenSecretOf(workspace.admin).toString('base64url');
  expect(next.open(tokenSecret ?? '', tokenSecretPlace(id))).toBe(expected);
  const after = await sealedKeys();
  expect(after.map(({ id, sealed }) => next.open(sealed, `configurations/${id}/apiKey`))).toEqual(
    before.map(({ id, sealed }) => old.open(sealed, `configurations/${id}/apiKey`)),
  );
});
