/** CONTRACT section 2: scoped tokens are valid for their time and for no more than their key. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createExpiredKey, createKey, createWorkspace, type TestWorkspace } from '../factories.ts';
import { mintToken, type TokenFields } from '../mint-token.ts';
import { ROOT_KEY, startTestService, type TestService } from '../server.ts';

let service: TestService;
let workspace: TestWorkspace;
let log = '';

interface Key {
  id: string;
  key: string;
}

async function newKey(fields: { permission: string; collectionIds?: string[] }): Promise<Key> {
  const key = await createKey(service, workspace, fields);
  const { data } = await service.call<{ items: { id: string }[] }>('GET', `${workspace.url}/keys?limit=1`);
  return { id: data.items[0]!.id, key };
}

const whoami = (token: string) => service.call('GET', '/v1/whoami', { key: token });

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log += chunk.toString();
      done();
    },
  });
  service = await startTestService({}, destination);
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

test('a token has the rights that it claims, within those of its key, without a request before', async () => {
  const collection = await createCollection(service, workspace);
  const { id, key } = await newKey({ permission: 'admin' });
  const filter = { 'metadata.team': 'legal' };
  const token = mintToken(id, key, {
    permission: 'read',
    sub: 'ada@example.com',
    collectionIds: [collection.id],
    filter,
  });
  const { data } = await whoami(token);
  expect(data).toEqual({
    keyId: id,
    permission: 'read',
    workspaceId: workspace.id,
    collectionIds: [collection.id],
    token: { subject: 'ada@example.com', expiresAt: expect.stringMatching(/^\d{4}-.*Z$/), filter },
  });
  const write = await service.call('POST', `${collection.url}/docs/raw`, { key: token, json: {} });
  expect(write.status).toBe(403);
  expect((await service.call('GET', `${workspace.url}/config/models`, { key: token })).status).toBe(403);
});

test('a token without further claims has the collections of its key', async () => {
  const collection = await createCollection(service, workspace);
  const { id, key } = await newKey({ permission: 'write', collectionIds: [collection.id] });
  const { data } = await whoami(mintToken(id, key, { permission: 'write' }));
  expect(data).toMatchObject({ permission: 'write', collectionIds: [collection.id] });
});

test('refuses a token for every fault with the same answer, and logs the reason', async () => {
  const collection = await createCollection(service, workspace);
  const limited = await newKey({ permission: 'write', collectionIds: [collection.id] });
  const other = await newKey({ permission: 'admin' });
  const mint = (fields: TokenFields, { id, key } = limited): string =>
    mintToken(id, key, { permission: 'read', ...fields });
  const valid = mint({});
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const raised = Buffer.from(JSON.stringify({ permission: 'write', exp: 9e9 })).toString('base64url');
  const faults: Record<string, [string, string]> = {
    'expired a second ago': ['expired', mint({ lifetime: -1 })],
    'valid for more than 24 hours': ['lifetime', mint({ lifetime: 24 * 3600 + 120 })],
    'without an end': ['claims', mint({ exp: undefined })],
    'not yet valid': ['not_yet_valid', mint({ nbf: Date.now() / 1000 + 300 })],
    'signed with another key': ['signature', mint({}, { id: limited.id, key: other.key })],
    'with changed claims': ['signature', [header, raised, signature].join('.')],
    'without a signature': ['signature', [header, payload, ''].join('.')],
    'of no algorithm': ['algorithm', mint({ header: { alg: 'none' } })],
    'of another algorithm': ['algorithm', mint({ header: { alg: 'HS512' } })],
    'with a critical extension': ['malformed', mint({ header: { crit: ['exp'] } })],
    'of an unknown key': ['unknown_key', mint({}, { id: '0192f0c4-0000-7000-8000-00000000ffff', key: other.key })],
    'of a key that is no id': ['unknown_key', mint({}, { id: "' or 1=1", key: other.key })],
    'above the permission of its key': ['permission', mint({ permission: 'admin' })],
    'with the permission of the root key': ['claims', mint({ permission: 'root' })],
    'with a collection beyond its key': ['collections', mint({ collectionIds: [workspace.id] })],
    'with a filter of an unknown field': ['filter', mint({ filter: { nme: 'x' } })],
    'with a filter that is no object': ['claims', mint({ filter: 'all' })],
  };
  expect((await whoami(valid)).status).toBe(200);
  const plain = await whoami('quire_unknown');
  for (const [name, [problem, token]] of Object.entries(faults)) {
    log = '';
    const answer = await whoami(token);
    expect([name, answer.status, answer.detail]).toEqual([name, 401, plain.detail]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect([name, log]).toEqual([name, expect.stringContaining(`"problem":"${problem}"`)]);
    expect(log).not.toContain(token);
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('the example of the guide in Python (needs python3) mints a token', async () => {
  const { id, key } = await newKey({ permission: 'write' });
  const page = await readFile(new URL('../../../../docs/guide/keys.md', import.meta.url), 'utf8');
  const script = /```python\n(.*?)```/s.exec(page)?.[1] ?? '';
  const { stdout } = spawnSync('python3', ['-c', script], { env: { ...process.env, KEY: key, KEY_ID: id } });
  expect((await whoami(stdout.toString().trim())).data).toMatchObject({ keyId: id, permission: 'read' });
});

test('the root key signs no tokens', async () => {
  const { data } = await service.call('GET', '/v1/whoami', { key: ROOT_KEY });
  const token = mintToken(String(data['keyId']), ROOT_KEY, { permission: 'read' });
  expect((await whoami(token)).status).toBe(401);
});

test('a token makes no key, which would outlive it', async () => {
  const { id, key } = await newKey({ permission: 'admin' });
  const token = mintToken(id, key, { permission: 'admin' });
  const json = { name: 'x', permission: 'read' };
  expect((await service.call('POST', `${workspace.url}/keys`, { key: token, json })).status).toBe(403);
  expect((await service.call('GET', `${workspace.url}/keys`, { key: token })).status).toBe(200);
});

test('a token ends with its key: revoked or expired', async () => {
  const { id, key } = await newKey({ permission: 'read' });
  const token = mintToken(id, key, { permission: 'read' });
  expect((await whoami(token)).status).toBe(200);
  expect((await service.call('DELETE', `${workspace.url}/keys/${id}`)).status).toBe(200);
  expect((await whoami(token)).status).toBe(401);
  const expired = await createExpiredKey(service, workspace);
  expect((await whoami(mintToken(expired.id, expired.key, { permission: 'read' }))).status).toBe(401);
});

test('a token works for a key of an earlier version once the key itself was used', async () => {
  const { id, key } = await newKey({ permission: 'read' });
  const { Client } = await import('pg');
  const client = new Client({ connectionString: service.connectionString });
  await client.connect();
  await client.query('update api_keys set token_secret = null where id = $1', [id]);
  const token = mintToken(id, key, { permission: 'read' });
  expect((await whoami(token)).status).toBe(401);
  expect((await whoami(key)).status).toBe(200);
  // The record that was read without the secret is cached for half a second.
  await expect.poll(async () => (await whoami(token)).status).toBe(200);
  const { rows } = await client.query<{ token_secret: string }>('select token_secret from api_keys where id = $1', [
    id,
  ]);
  await client.end();
  expect(rows[0]?.token_secret).toMatch(/^v1\.[0-9a-f]{12}\./);
});
