/** CONTRACT section 10, synchronisations, over the real service with a source in memory as the kind `ftp`. */
import { describe, expect, test } from 'vitest';
import { openEvents } from '../event-reader.ts';
import { counts, gate, useConnectorRequests, type Sync } from '../connectors/connector-requests.ts';
import { createKey, type AnyRecord } from '../factories.ts';

const requests = useConnectorRequests();

describe('synchronisation', () => {
  test('files become documents with their source in the metadata, and searches find them', async () => {
    const api = requests();
    api.source.put('contracts/lease.md', 'The lease ends in May.');
    api.source.put('notes.txt', 'Nothing of note.');
    const connector = await api.connect({ metadata: { team: 'legal' } });
    expect(await api.sync(connector)).toMatchObject({
      status: 'done',
      phase: null,
      counts: counts({ listed: 2, added: 2 }),
      error: null,
    });
    const [lease] = await api.items(connector, '?path=contracts/');
    expect(lease).toMatchObject({ path: 'contracts/lease.md', status: 'synced', error: null });
    const { data } = await api.call('GET', `/col/${api.collection.id}/docs/${lease!.documentId}?wait=60`);
    expect(data).toMatchObject({
      name: 'lease.md',
      status: 'ready',
      metadata: {
        team: 'legal',
        source: { connectorId: connector.split('/')[2], path: 'contracts/lease.md', url: null, modifiedAt: null },
      },
    });
    const found = await api.call<{ hits: AnyRecord[] }>('POST', `/col/${api.collection.id}/search`, { query: 'lease' });
    expect(found.data.hits.map(({ documentId }) => documentId)).toContain(lease!.documentId);
  });

  test('an unchanged source is listed and nothing is fetched', async () => {
    const api = requests();
    api.source.put('a.txt', 'A');
    const connector = await api.connect();
    await api.sync(connector);
    api.source.fetches.length = 0;
    expect((await api.sync(connector)).counts).toEqual(counts({ listed: 1, unchanged: 1 }));
    expect(api.source.fetches).toEqual([]);
  });

  test('with `full` every file is fetched, and those with the same content are unchanged', async () => {
    const api = requests();
    for (const name of ['a', 'b']) api.source.put(`${name}.txt`, `Content of ${name}`);
    const connector = await api.connect();
    await api.sync(connector);
    api.source.fetches.length = 0;
    expect((await api.sync(connector, '?full=true')).counts).toEqual(counts({ listed: 2, unchanged: 2 }));
    expect(api.source.fetches.toSorted()).toEqual(['a.txt', 'b.txt']);
    expect((await api.documents()).map(({ revision }) => revision)).toEqual([1, 1]);
  });

  test('twenty follow each other', async () => {
    const api = requests();
    const connector = await api.connect();
    const statuses: string[] = [];
    for (let at = 0; at < 20; at += 1) statuses.push((await api.sync(connector)).status);
    expect(statuses).toEqual(statuses.map(() => 'done'));
  });

  test('a second one is refused with the id of the running one, which can be cancelled', async () => {
    const api = requests();
    api.source.put('a.txt', 'A');
    const connector = await api.connect();
    const { closed, open } = gate();
    api.source.beforePage = () => closed;
    const { data: running } = await api.call<Sync>('POST', `${connector}/sync`);
    const second = await api.call('POST', `${connector}/sync`);
    expect([second.status, second.detail[0]?.ctx]).toEqual([409, { syncId: running.id }]);
    expect((await api.call('GET', connector)).data['status']).toBe('syncing');
    const { data } = await api.call<Sync>('POST', `${connector}/syncs/${running.id}/cancel`);
    open();
    expect([data.status, data.error?.type]).toEqual(['cancelled', 'cancelled']);
    expect((await api.call('POST', `${connector}/syncs/${running.id}/cancel`)).status).toBe(409);
    expect(await api.names()).toEqual([]);
  });

  test('deletions that are held back are carried out by an approval', async () => {
    const api = requests();
    for (const name of ['a', 'b', 'c']) api.source.put(`${name}.txt`, `Content of ${name}`);
    const connector = await api.connect();
    await api.sync(connector);
    api.source.files.clear();
    const held = await api.sync(connector);
    expect([held.status, held.changes.map(({ path }) => path)]).toEqual(['held', ['a.txt', 'b.txt', 'c.txt']]);
    expect((await api.call('GET', connector)).data['status']).toBe('held');
    expect((await api.names()).length).toBe(3);
    expect((await api.call('POST', `${connector}/syncs/${held.id}/approve`)).status).toBe(202);
    expect((await api.ended(connector, held.id)).counts).toEqual(counts({ deleted: 3 }));
    expect([await api.names(), (await api.call('GET', connector)).data['status']]).toEqual([[], 'idle']);
  });

  test('a replaced file becomes a new revision, a deleted one a deleted document, and one that comes back is restored', async () => {
    const api = requests();
    for (const name of ['a', 'b', 'c']) api.source.put(`${name}.txt`, `Content of ${name}`);
    const connector = await api.connect();
    await api.sync(connector);
    const before = new Map((await api.items(connector)).map(({ path, documentId }) => [path, documentId]));
    api.source.put('a.txt', 'Another content');
    api.source.files.delete('b.txt');
    expect((await api.sync(connector)).counts).toEqual(counts({ listed: 2, updated: 1, unchanged: 1, deleted: 1 }));
    expect(await api.names()).toEqual(['a.txt', 'c.txt']);
    const { data } = await api.call('GET', `/col/${api.collection.id}/docs/${before.get('a.txt')!}`);
    expect(data['revision']).toBe(2);
    expect((await api.items(connector, '?status=deleted')).map(({ path }) => path)).toEqual(['b.txt']);
    api.source.put('b.txt', 'Content of b');
    expect((await api.sync(connector)).counts).toEqual(counts({ listed: 3, added: 1, unchanged: 2 }));
    expect((await api.items(connector, '?path=b'))[0]?.documentId).toBe(before.get('b.txt'));
    expect(await api.names()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});

describe('live events', () => {
  test('show a synchronisation from its start to its end, and the status of its connector', async () => {
    const api = requests();
    api.source.put('a.txt', 'A');
    const connector = await api.connect();
    const [, , connectorId = ''] = connector.split('/');
    const { service, workspace } = api;
    const limited = await createKey(service, workspace, { permission: 'read', collectionIds: [api.collection.id] });
    const [events, others] = await Promise.all([
      openEvents(service, workspace.url, workspace.admin),
      openEvents(service, workspace.url, limited),
    ]);
    const { closed, open } = gate();
    api.source.beforePage = () => closed;
    const { data } = await api.call<Sync>('POST', `${connector}/sync`);
    const started = await events.until(({ type }) => type === 'connector');
    expect(started.at(-1)?.data).toEqual({ id: connectorId, state: { status: 'syncing', deleted: false } });
    open();
    const isEnd = ({ type, data: { id, state } }: (typeof started)[number]): boolean =>
      type === 'sync' && id === data.id && state?.['status'] === 'done';
    const end = (await events.until(isEnd)).at(-1);
    expect(end?.data.state).toEqual({
      connectorId,
      trigger: 'manual',
      dryRun: false,
      status: 'done',
      phase: null,
      counts: counts({ listed: 1, added: 1 }),
      progress: { toFetch: 1, fetched: 1, fetchedBytes: 1 },
      errorType: null,
    });
    await api.call('DELETE', `${connector}?purge=true`);
    const erased = await events.until(({ data: { id, state } }) => id === connectorId && state === null);
    expect(erased.map(({ type, data: each }) => [type, each.id])).toContainEqual(['connector', connectorId]);
    await api.call('DELETE', `/col/${api.collection.id}`);
    const visible = await others.until(
      ({ type, data: { state } }) => type === 'collection' && state?.['deleted'] === true,
    );
    expect(visible.filter(({ type }) => type === 'sync' || type === 'connector')).toEqual([]);
    await Promise.all([events.close(), others.close()]);
  });
});
