/** CONTRACT section 10, records: creation, credentials, test, change, removal. */
import { describe, expect, test } from 'vitest';
import { counts, gate, TEST_MS, useConnectorRequests } from '../connectors/connector-requests.ts';
import { createKey } from '../factories.ts';

const requests = useConnectorRequests();
const SECRET = 'the-password-of-ada';
const MASK = '••••-ada';
const OTHER = 'another-password';

describe('credentials', () => {
  test('are masked in every answer, and the source gets them', async () => {
    const api = requests();
    api.source.put('a.txt', 'A');
    const connector = await api.connect({ config: { host: api.host, username: 'ada', password: SECRET } });
    const { data, text } = await api.call('GET', connector);
    expect(data['config']).toEqual({ host: api.host, username: 'ada', password: MASK });
    expect(text + (await api.call('GET', '/connectors')).text).not.toContain(SECRET);
    await api.sync(connector);
    expect(api.source.opened).toEqual([{ host: api.host, username: 'ada', password: SECRET }]);
  });

  test('stay when their mask is sent back, and are replaced by new ones', async () => {
    const api = requests();
    const connector = await api.connect({ config: { host: api.host, username: 'ada', password: SECRET } });
    const change = (config: object) => api.call('PATCH', connector, { config });
    expect((await change({ username: 'eve', password: MASK })).data['config']).toEqual({
      host: api.host,
      username: 'eve',
      password: MASK,
    });
    expect((await change({ password: OTHER, username: null })).status).toBe(200);
    await api.sync(connector);
    expect(api.source.opened.at(-1)).toEqual({ host: api.host, password: OTHER });
    const refused = await change({ password: '••••-eve' });
    expect([refused.status, refused.detail[0]?.loc]).toEqual([422, ['body', 'config', 'password']]);
  });

  test('are required again for another host, so that they cannot be sent elsewhere', async () => {
    const api = requests();
    const connector = await api.connect({ config: { host: api.host, username: 'ada', password: SECRET } });
    const { host, source } = api;
    await api.renew();
    for (const config of [{ host: api.host }, { host: api.host, password: MASK }]) {
      const refused = await api.call('PATCH', connector, { config });
      expect([refused.status, refused.detail[0]?.loc]).toEqual([422, ['body', 'config', 'password']]);
      expect(refused.text).not.toContain(SECRET);
    }
    expect((await api.call('GET', connector)).data['config']).toMatchObject({ host });
    expect((await api.call('PATCH', connector, { config: { host: api.host, password: OTHER } })).status).toBe(200);
    await api.call('POST', `${connector}/test`);
    expect([source.opened, api.source.opened]).toEqual([[], [{ host: api.host, username: 'ada', password: OTHER }]]);
  });

  test('that the source refuses need attention, until they are changed', async () => {
    const api = requests();
    const connector = await api.connect({ config: { host: api.host, password: SECRET }, schedule: '0 3 * * *' });
    api.source.fault = { kind: 'credentials' };
    const failed = await api.sync(connector);
    expect([failed.status, failed.error?.type]).toEqual(['failed', 'credentials_refused']);
    const { data: record } = await api.call('GET', connector);
    expect([record['status'], record['nextSyncAt']]).toEqual(['needs_attention', null]);
    api.source.fault = null;
    const { data: changed } = await api.call('PATCH', connector, { config: { password: OTHER } });
    expect([changed['status'], typeof changed['nextSyncAt']]).toEqual(['idle', 'string']);
    expect((await api.sync(connector)).status).toBe('done');
  });
});

describe('a test of the source', () => {
  test('returns its first paths', async () => {
    const api = requests();
    for (let at = 10; at < 25; at += 1) api.source.put(`${at}.txt`, 'x');
    const { status, data } = await api.call('POST', `${await api.connect()}/test`);
    expect([status, data]).toEqual([
      200,
      {
        ok: true,
        latencyMs: expect.any(Number),
        message: 'The source can be read',
        sample: Array.from({ length: 10 }, (_each, at) => `${at + 10}.txt`),
      },
    ]);
  });

  test('ends when the source accepts and stays silent', async () => {
    const api = requests();
    const connector = await api.connect();
    const silence = gate();
    api.source.beforeTest = () => silence.closed;
    const { status, data } = await api.call('POST', `${connector}/test`);
    silence.open();
    const message = `The source did not answer within ${TEST_MS / 1000} s`;
    expect([status, data]).toEqual([200, { ok: false, latencyMs: expect.any(Number), message, sample: [] }]);
  });

  test('names the reason of a failure, and needs an admin key', async () => {
    const api = requests();
    const connector = await api.connect();
    api.source.fault = { kind: 'missing-root' };
    const { status, data } = await api.call('POST', `${connector}/test`);
    expect([status, data]).toEqual([
      200,
      { ok: false, latencyMs: expect.any(Number), message: 'the folder does not exist', sample: [] },
    ]);
    const key = await createKey(api.service, api.workspace, { permission: 'write' });
    expect((await api.call('POST', `${connector}/test`, undefined, key)).status).toBe(403);
  });
});

describe('a record', () => {
  test('with a field of another kind, without a collection, or with a bad schedule is refused', async () => {
    const api = requests();
    const base = { collectionId: api.collection.id, name: 'x', kind: 'ftp', config: { host: api.host } };
    const cases: [object, (string | number)[]][] = [
      [{ config: { host: api.host, bucket: 'b' } }, ['body', 'config', 'bucket']],
      [{ config: {} }, ['body', 'config', 'host']],
      [{ collectionId: '019e0000-0000-7000-8000-000000000000' }, ['body', 'collectionId']],
      [{ kind: 'gopher' }, ['body', 'kind']],
      [{ kind: 'web', config: { startUrls: ['https://example.com'] } }, ['body', 'kind']],
      [{ schedule: 'every day' }, ['body', 'schedule']],
      [{ schedule: '0 0 31 2 *' }, ['body', 'schedule']],
      [{ maxDeletionShare: 2 }, ['body', 'maxDeletionShare']],
    ];
    for (const [fields, loc] of cases) {
      const { status, detail } = await api.call('POST', '/connectors', { ...base, ...fields });
      expect([fields, status, detail[0]?.loc]).toEqual([fields, 422, loc]);
    }
  });

  test('is paused and continued', async () => {
    const api = requests();
    const connector = await api.connect({ schedule: '0 3 * * *' });
    const { data: paused } = await api.call('PATCH', connector, { paused: true });
    expect([paused['status'], paused['nextSyncAt']]).toEqual(['paused', null]);
    expect((await api.sync(connector)).status).toBe('done');
    const { data: continued } = await api.call('PATCH', connector, { paused: false });
    expect([continued['status'], typeof continued['nextSyncAt']]).toEqual(['idle', 'string']);
  });

  test('that is deleted keeps its documents, and continues when it is restored', async () => {
    const api = requests();
    for (const name of ['a', 'b']) api.source.put(`${name}.txt`, `Content of ${name}`);
    const connector = await api.connect();
    await api.sync(connector);
    const { data: removed } = await api.call('DELETE', connector);
    expect([typeof removed['deletedAt'], await api.names()]).toEqual(['string', ['a.txt', 'b.txt']]);
    expect((await api.call('POST', `${connector}/sync`)).status).toBe(409);
    api.source.put('b.txt', 'Changed');
    expect((await api.call('PUT', `${connector}/undelete`)).data['deletedAt']).toBe(null);
    expect((await api.sync(connector)).counts).toEqual(counts({ listed: 2, updated: 1, unchanged: 1 }));
  });

  test('that is deleted with `documents=delete` deletes its documents, and no other', async () => {
    const api = requests();
    for (const name of ['a', 'b', 'c']) api.source.put(`${name}.txt`, `Content of ${name}`);
    const connector = await api.connect();
    await api.sync(connector);
    const uploaded = await api.call('POST', `/col/${api.collection.id}/docs/raw?wait=60`, {
      name: 'own.txt',
      content: 'Uploaded.',
      contentType: 'text/plain',
    });
    expect(uploaded.status).toBeLessThan(300);
    expect((await api.call('DELETE', `${connector}?documents=delete`)).status).toBe(200);
    await expect.poll(() => api.names(), { timeout: 30_000 }).toEqual(['own.txt']);
  });
});
