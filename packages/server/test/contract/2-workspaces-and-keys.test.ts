/** CONTRACT section 2: workspaces and keys. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCollection, createExpiredKey, createKey, createWorkspace, type TestWorkspace } from '../factories.ts';
import { ROOT_KEY, startTestService, type TestService } from '../server.ts';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

describe('workspaces', () => {
  test('are made, listed, renamed and read', async () => {
    const made = await service.call<Record<string, string>>('POST', '/v1/workspaces', { json: { name: 'Erste' } });
    expect(made.status).toBe(201);
    expect(made.data).toEqual({
      id: expect.stringMatching(UUID_7),
      name: 'Erste',
      chatSharing: 'private',
      createdAt: expect.stringMatching(TIMESTAMP),
      modifiedAt: expect.stringMatching(TIMESTAMP),
    });
    const url = `/v1/w/${made.data['id']}`;
    const renamed = await service.call<Record<string, string>>('PATCH', url, { json: { name: 'Zweite' } });
    expect([renamed.status, renamed.data['name']]).toEqual([200, 'Zweite']);
    expect((await service.call('GET', url)).data).toEqual(renamed.data);
    const list = await service.call<{ items: unknown[] }>('GET', '/v1/workspaces?limit=1');
    expect(list.data.items).toEqual([renamed.data]);
  });

  test('a deleted workspace and its keys are gone at once for all keys', async () => {
    const gone = await createWorkspace(service);
    expect((await service.call('DELETE', gone.url, { key: gone.admin })).status).toBe(403);
    expect((await service.call('DELETE', gone.url)).status).toBe(200);
    expect((await service.call('GET', gone.url)).status).toBe(404);
    expect((await service.call('GET', gone.url, { key: gone.admin })).status).toBe(401);
  });
});

describe('keys', () => {
  test('the key is in the answer to POST only', async () => {
    const json = { name: 'App', permission: 'write', expiresAt: '2999-01-01T00:00:00+01:00' };
    const made = await service.call('POST', `${workspace.url}/keys`, {
      json,
      key: workspace.admin,
    });
    expect(made.status).toBe(201);
    const { key, ...record } = made.data;
    expect(key).toMatch(/^quire_[\w-]{43}$/);
    expect(record).toEqual({
      id: expect.stringMatching(UUID_7),
      workspaceId: workspace.id,
      name: 'App',
      permission: 'write',
      collectionIds: null,
      hint: `••••${String(key).slice(-4)}`,
      expiresAt: '2998-12-31T23:00:00.000Z',
      lastUsedAt: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const list = await service.call<{ items: Record<string, unknown>[] }>('GET', `${workspace.url}/keys`, {
      key: workspace.admin,
    });
    expect(list.data.items.find((item) => item['id'] === record['id'])).toEqual(record);
    expect(list.text).not.toContain(String(key));
  });

  test('whoami returns the permission and scope of the key', async () => {
    const collection = await createCollection(service, workspace);
    const key = await createKey(service, workspace, { permission: 'read', collectionIds: [collection.id] });
    expect((await service.call('GET', '/v1/whoami', { key })).data).toEqual({
      keyId: expect.stringMatching(UUID_7),
      permission: 'read',
      workspaceId: workspace.id,
      collectionIds: [collection.id],
    });
    expect((await service.call('GET', '/v1/whoami', { key: ROOT_KEY })).data['permission']).toBe('root');
  });

  test('a revoked key is refused with the next request', async () => {
    const key = await createKey(service, workspace, { permission: 'admin' });
    const { data } = await service.call<{ keyId: string }>('GET', '/v1/whoami', { key });
    expect((await service.call('DELETE', `${workspace.url}/keys/${data.keyId}`, { key: workspace.admin })).status).toBe(
      200,
    );
    expect((await service.call('GET', '/v1/whoami', { key })).status).toBe(401);
    expect((await service.call('DELETE', `${workspace.url}/keys/${data.keyId}`, { key: workspace.admin })).status).toBe(
      404,
    );
  });

  test('an expired key is refused, and none is made that has expired', async () => {
    const { key } = await createExpiredKey(service, workspace);
    expect((await service.call('GET', '/v1/whoami', { key })).status).toBe(401);
    const json = { name: 'x', permission: 'read', expiresAt: '2020-01-01T00:00:00Z' };
    const past = await service.call('POST', `${workspace.url}/keys`, { json });
    expect([past.status, past.detail]).toEqual([
      422,
      [
        {
          loc: ['body', 'expiresAt'],
          msg: 'Input should be in the future',
          type: 'datetime_future',
          input: json.expiresAt,
        },
      ],
    ]);
  });

  test('its use is noted', async () => {
    const key = await createKey(service, workspace, { permission: 'read' });
    const { data } = await service.call<{ keyId: string }>('GET', '/v1/whoami', { key });
    const list = await service.call<{ items: Record<string, unknown>[] }>('GET', `${workspace.url}/keys`);
    expect(list.data.items.find((item) => item['id'] === data.keyId)?.['lastUsedAt']).toMatch(TIMESTAMP);
  });

  test('no key makes one above itself, in permission or in collections', async () => {
    const admin = workspace.admin;
    const root = await service.call('POST', `${workspace.url}/keys`, {
      json: { name: 'x', permission: 'root' },
      key: admin,
    });
    expect(root.detail.map((detail) => detail.type)).toEqual(['enum']);
    const foreign = await createCollection(service, await createWorkspace(service));
    const json = { name: 'x', permission: 'read', collectionIds: [foreign.id] };
    const other = await service.call('POST', `${workspace.url}/keys`, { json, key: admin });
    expect(other.detail.map(({ type, loc }) => [type, loc])).toEqual([['value_error', ['body', 'collectionIds', 0]]]);
  });
});
