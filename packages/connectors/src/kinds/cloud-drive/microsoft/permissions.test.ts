import { expect, onTestFinished, test } from 'vitest';
import { listAll, noAbort } from '../../../conformance/read-source.ts';
import { SourceUnavailable } from '../../../connector-error.ts';
import type { ListingPage } from '../../../connector.ts';
import { startGraphServer, type GraphServer } from '../../../testing/graph-server.ts';
import { openGraph } from './open-graph.ts';
import { readersOf, type Permission } from './permissions.ts';

const ORGANISATION = 'group:contoso';

async function start(): Promise<GraphServer> {
  const server = await startGraphServer();
  onTestFinished(() => server.close());
  return server;
}

async function readers(server: GraphServer, more: object = {}, context: object = {}): Promise<Record<string, unknown>> {
  const pages: ListingPage[] = [];
  for await (const page of openGraph(server, more, context).list(null, noAbort)) pages.push(page);
  return Object.fromEntries(
    pages.flatMap(({ entries }) => entries.map(({ path, permissions }) => [path, permissions])),
  );
}

test('the readers of each file are listed, twenty files in a request', async () => {
  const server = await start();
  for (let at = 0; at < 45; at += 1) {
    const id = server.put(`file ${at}`, Buffer.from('x'));
    const shared = at % 2 === 0 ? [{ link: { scope: 'anonymous' } }] : [];
    server.permissions.set(id, [{ grantedToV2: { user: { email: `${at}@example.com` } } }, ...shared]);
  }
  const found = await readers(server, {}, { maxPageEntries: 1000 });
  expect(Object.keys(found).length).toBe(45);
  expect([found['file 7'], found['file 8']]).toEqual([['user:7@example.com'], ['user:8@example.com', 'public']]);
  expect(server.batches.toSorted()).toEqual([20, 20, 5]);
});

test('a file whose permissions may not be read has none, and the others keep theirs', async () => {
  const server = await start();
  server.permissions.set(server.put('closed', Buffer.from('x')), null);
  server.permissions.set(server.put('open', Buffer.from('x')), [{ link: { scope: 'anonymous' } }]);
  server.put('nobody', Buffer.from('x'));
  expect(await readers(server)).toEqual({ closed: undefined, open: ['public'], nobody: [] });
});

test('changes have their readers too, and `permissions: false` requests none', async () => {
  const server = await start();
  server.permissions.set(server.put('a', Buffer.from('x')), [{ grantedToV2: { user: { email: 'ada@example.com' } } }]);
  const changesSince = (await listAll(openGraph(server))).at(-1)?.changeToken ?? 'none';
  server.put('a', Buffer.from('changed'));
  expect(await readers(server, {}, { changesSince })).toEqual({ a: ['user:ada@example.com'] });
  server.batches.length = 0;
  expect([await readers(server, { permissions: false }), server.batches]).toEqual([{ a: undefined }, []]);
});

test('a link to another host is not followed', async () => {
  const server = await start();
  const one = { grantedToV2: { user: { email: 'ada@example.com' } } };
  server.permissions.set(server.put('a', Buffer.from('x')), [one, one]);
  const { port } = new URL(server.api);
  server.api = `http://localhost:${port}/v1.0`;
  const connector = openGraph({ ...server, api: `http://127.0.0.1:${port}/v1.0` });
  await expect(listAll(connector)).rejects.toBeInstanceOf(SourceUnavailable);
});

test('identities of all sorts become readers, once each', () => {
  const granted = (grantedToV2: object): Permission => ({ grantedToV2 });
  const cases: [Permission, string[]][] = [
    [granted({ user: { id: '1', email: 'ada@example.com' } }), ['user:ada@example.com']],
    [granted({ user: { id: '1', displayName: 'Ada' } }), ['user:1']],
    [granted({ siteUser: { loginName: 'i:0#.f|membership|eve@example.com' } }), ['user:eve@example.com']],
    [granted({ group: { id: '2', email: 'staff@example.com' } }), ['group:staff@example.com']],
    [granted({ siteGroup: { displayName: 'Team Members' } }), ['group:Team Members']],
    [granted({ siteUser: { loginName: 'c:0-.f|rolemanager|spo-grid-all-users/9f' } }), [ORGANISATION]],
    [granted({ siteUser: { loginName: 'c:0(.s|true' } }), [ORGANISATION]],
    [{ link: { scope: 'organization' } }, [ORGANISATION]],
    [{ link: { scope: 'anonymous' } }, ['public']],
    [{ link: { scope: 'anonymous' }, hasPassword: true }, []],
    [{ link: { scope: 'anonymous' }, expirationDateTime: '2026-01-01T00:00:00Z' }, []],
    [
      { link: { scope: 'users' }, grantedToIdentitiesV2: [{ user: { email: 'x@example.com' } }] },
      ['user:x@example.com'],
    ],
  ];
  const now = Date.parse('2026-02-01T00:00:00Z');
  for (const [permission, expected] of cases) {
    expect([permission, readersOf([permission, permission], ORGANISATION, now)]).toEqual([permission, expected]);
  }
});
