import { describe, expect, test } from 'vitest';
import { describeConnector } from '../../../conformance.ts';
import { CONTEXT, foldersOfPages, listAll, noAbort, pathsOf, readBody } from '../../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../../conformance/source.ts';
import { SourceUnavailable } from '../../../connector-error.ts';
import { startGraphServer } from '../../../testing/graph-server.ts';
import { cloudDrive } from '../descriptor.ts';
import { entriesOf, startFor, testDrive, tokenOf } from '../drive-cases.ts';
import { GRAPH_APP, graphOutbound, openGraph } from './open-graph.ts';

const fixture: ConnectorFixture = {
  name: 'microsoft_graph',
  without: {
    links: 'items of other drives, the only links, are not listed',
    'file-like-folder': 'a folder has one entry of a name',
  },
  start: async () => {
    const server = await startGraphServer();
    return {
      write: async (path, bytes) => void server.put(path, bytes),
      move: async (from, to) => server.move(server.idOf(from), to),
      remove: async (path) => server.delete(server.idOf(path)),
      setFault: async (fault) => void (server.fault = fault),
      open: (context) => openGraph(server, {}, { ...context, outbound: graphOutbound }),
      close: () => server.close(),
    };
  },
};

describeConnector(fixture);

const start = () => startFor(startGraphServer);

describe('microsoft_graph', () => {
  testDrive(startGraphServer, openGraph);

  test('delta reports what was added, changed, moved and deleted since the listing, in pages', async () => {
    const server = await start();
    for (const path of ['a/1', 'a/2', 'b/3', 'c/4']) server.put(path, Buffer.from(path));
    const changesSince = tokenOf(await listAll(openGraph(server)));
    const [second, third] = [server.idOf('a/2'), server.idOf('b/3')];
    server.put('a/1', Buffer.from('new content'));
    server.put('a/new', Buffer.from('new'));
    server.delete(second);
    server.move(third, 'a/3');
    server.pageSize = 2;
    const pages = await listAll(openGraph(server, {}, { changesSince }));
    expect(pathsOf(pages)).toEqual(['a/1', 'a/3', 'a/new']);
    expect(pages.flatMap(({ removed = [] }) => removed)).toEqual([{ id: second }]);
    expect([pages.length, foldersOfPages(pages)]).toEqual([2, []]);
    const none = await listAll(openGraph(server, {}, { changesSince: tokenOf(pages) }));
    expect(entriesOf(none)).toEqual([]);
  });

  test('a changed folder, or a feed that must be read from the start, leads to a listing of everything', async () => {
    const server = await start();
    server.put('a/1', Buffer.from('1'));
    const changesSince = tokenOf(await listAll(openGraph(server)));
    server.move(server.idOf('a'), 'renamed');
    const renamed = await listAll(openGraph(server, {}, { changesSince }));
    expect([pathsOf(renamed), foldersOfPages(renamed)]).toEqual([['renamed/1'], ['']]);
    server.put('renamed/2', Buffer.from('2'));
    server.oldest = server.feed.length;
    const resync = await listAll(openGraph(server, {}, { changesSince: tokenOf(renamed) }));
    expect([pathsOf(resync), foldersOfPages(resync)]).toEqual([['renamed/1', 'renamed/2'], ['']]);
  });

  test('a folder of the configuration is the root, also for changes', async () => {
    const server = await start();
    server.put('in/a/1', Buffer.from('1'));
    server.put('out/2', Buffer.from('2'));
    const folder = { folder: '/in/' };
    const pages = await listAll(openGraph(server, folder));
    expect(pathsOf(pages)).toEqual(['a/1']);
    server.put('in/a/3', Buffer.from('3'));
    server.put('out/2', Buffer.from('new'));
    const changed = await listAll(openGraph(server, folder, { changesSince: tokenOf(pages) }));
    expect([pathsOf(changed), changed.flatMap(({ removed = [] }) => removed)]).toEqual([
      ['a/3'],
      [{ id: server.idOf('out/2'), isInferred: true }],
    ]);
  });

  test('notebooks and items of other drives are skipped', async () => {
    const server = await start();
    server.put('notes', Buffer.from(''), { file: undefined, package: { type: 'oneNote' } });
    server.put('shared', null, { remoteItem: { id: 'elsewhere' } });
    const entries = entriesOf(await listAll(openGraph(server)));
    expect(entries.map(({ path, skip }) => [path, skip?.type])).toEqual([
      ['notes', 'unsupported_file_type'],
      ['shared', 'shortcut'],
    ]);
  });

  test('the access token is sent neither to the host of a download nor to a link that leads elsewhere', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('content'));
    const connector = openGraph(server);
    const [entry] = entriesOf(await listAll(connector));
    expect((await readBody((await connector.fetch(entry!, noAbort)).body)).toString()).toBe('content');
    expect(server.downloads).toEqual([undefined]);
    const changesSince = 'https://elsewhere.example/delta';
    await expect(listAll(openGraph(server, {}, { changesSince }))).rejects.toBeInstanceOf(SourceUnavailable);
  });

  test('a configuration needs a site or a drive', () => {
    const none = { ...GRAPH_APP, driveId: undefined };
    expect(() => cloudDrive.open(none, CONTEXT)).toThrow("'siteId' or 'driveId' is required");
  });
});
