import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../../conformance.ts';
import { CONTEXT, foldersOfPages, listAll, noAbort, pathsOf, readBody } from '../../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../../conformance/source.ts';
import { ItemFailed, SourceUnavailable } from '../../../connector-error.ts';
import type { Connector, ConnectorContext, ListingPage, SourceEntry } from '../../../connector.ts';
import { startGraphServer, type GraphServer } from '../../../testing/graph-server.ts';
import { cloudDriveConfig, type MicrosoftGraphConfig } from '../config.ts';
import { cloudDrive } from '../descriptor.ts';
import { MicrosoftGraphConnector } from './connector.ts';

const APP = {
  service: 'microsoft_graph',
  tenantId: 'contoso',
  clientId: 'app',
  clientSecret: 'secret',
  driveId: 'drive-1',
};
/** Downloads come from another name of this machine. */
const outbound = new OutboundClient(new AddressRules(['127.0.0.0/8', '::1']), {
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});

function open(server: GraphServer, more: object = {}, context: Partial<ConnectorContext> = {}): Connector {
  const config = cloudDriveConfig.parse({ ...APP, ...more }) as MicrosoftGraphConfig;
  return new MicrosoftGraphConnector(config, { ...CONTEXT, outbound, ...context }, server);
}

const fixture: ConnectorFixture = {
  name: 'microsoft_graph',
  hasFolderFailures: true,
  hasLinks: false,
  start: async () => {
    const server = await startGraphServer();
    return {
      write: async (path, bytes) => void server.put(path, bytes),
      move: async (from, to) => server.move(server.idOf(from), to),
      remove: async (path) => server.delete(server.idOf(path)),
      setFault: async (fault) => void (server.fault = fault),
      open: (context) => open(server, {}, { ...context, outbound }),
      close: () => server.close(),
    };
  },
};

describeConnector(fixture);

async function start(): Promise<GraphServer> {
  const server = await startGraphServer();
  onTestFinished(() => server.close());
  return server;
}

const entriesOf = (pages: readonly ListingPage[]): SourceEntry[] => pages.flatMap(({ entries }) => [...entries]);
const tokenOf = (pages: readonly ListingPage[]): string => pages.at(-1)?.changeToken ?? 'none';

describe('microsoft_graph', () => {
  test('delta reports what was added, changed, moved and deleted since the listing, in pages', async () => {
    const server = await start();
    for (const path of ['a/1', 'a/2', 'b/3', 'c/4']) server.put(path, Buffer.from(path));
    const changesSince = tokenOf(await listAll(open(server)));
    const [second, third] = [server.idOf('a/2'), server.idOf('b/3')];
    server.put('a/1', Buffer.from('new content'));
    server.put('a/new', Buffer.from('new'));
    server.delete(second);
    server.move(third, 'a/3');
    server.pageSize = 2;
    const pages = await listAll(open(server, {}, { changesSince }));
    expect(pathsOf(pages)).toEqual(['a/1', 'a/3', 'a/new']);
    expect(pages.flatMap(({ removed = [] }) => removed)).toEqual([{ id: second }]);
    expect([pages.length, foldersOfPages(pages)]).toEqual([2, []]);
    const none = await listAll(open(server, {}, { changesSince: tokenOf(pages) }));
    expect(entriesOf(none)).toEqual([]);
  });

  test('a changed folder, or a feed that must be read from the start, leads to a listing of everything', async () => {
    const server = await start();
    server.put('a/1', Buffer.from('1'));
    const changesSince = tokenOf(await listAll(open(server)));
    server.move(server.idOf('a'), 'renamed');
    const renamed = await listAll(open(server, {}, { changesSince }));
    expect([pathsOf(renamed), foldersOfPages(renamed)]).toEqual([['renamed/1'], ['']]);
    server.put('renamed/2', Buffer.from('2'));
    server.oldest = server.feed.length;
    const resync = await listAll(open(server, {}, { changesSince: tokenOf(renamed) }));
    expect([pathsOf(resync), foldersOfPages(resync)]).toEqual([['renamed/1', 'renamed/2'], ['']]);
  });

  test('a folder of the configuration is the root, also for changes', async () => {
    const server = await start();
    server.put('in/a/1', Buffer.from('1'));
    server.put('out/2', Buffer.from('2'));
    const folder = { folder: '/in/' };
    const pages = await listAll(open(server, folder));
    expect(pathsOf(pages)).toEqual(['a/1']);
    server.put('in/a/3', Buffer.from('3'));
    server.put('out/2', Buffer.from('new'));
    const changed = await listAll(open(server, folder, { changesSince: tokenOf(pages) }));
    expect([pathsOf(changed), changed.flatMap(({ removed = [] }) => removed)]).toEqual([
      ['a/3'],
      [{ id: server.idOf('out/2') }],
    ]);
  });

  test('notebooks and items of other drives are skipped', async () => {
    const server = await start();
    server.put('notes', Buffer.from(''), { file: undefined, package: { type: 'oneNote' } });
    server.put('shared', null, { remoteItem: { id: 'elsewhere' } });
    const entries = entriesOf(await listAll(open(server)));
    expect(entries.map(({ path, skip }) => [path, skip?.type])).toEqual([
      ['notes', 'unsupported_file_type'],
      ['shared', 'shortcut'],
    ]);
  });

  test('a folder of more than one page is listed whole', async () => {
    const server = await start();
    for (let at = 0; at < 25; at += 1) server.put(`many/${at}`, Buffer.from(`${at}`));
    server.pageSize = 10;
    expect(pathsOf(await listAll(open(server))).length).toBe(25);
  });

  test('the access token is sent neither to the host of a download nor to a link that leads elsewhere', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('content'));
    const connector = open(server);
    const [entry] = entriesOf(await listAll(connector));
    expect((await readBody((await connector.fetch(entry!, noAbort)).body)).toString()).toBe('content');
    expect(server.downloads).toEqual([undefined]);
    const changesSince = 'https://elsewhere.example/delta';
    await expect(listAll(open(server, {}, { changesSince }))).rejects.toBeInstanceOf(SourceUnavailable);
  });

  test('an access token that has expired is replaced once', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('1'));
    const connector = open(server);
    await connector.test(noAbort);
    server.tokens.clear();
    expect(await connector.test(noAbort)).toEqual(['a.txt']);
    expect([...server.tokens]).toEqual(['token-2']);
  });

  test('a file that changes between its description and its content fails as changed', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('old'));
    const connector = open(server);
    const [entry] = entriesOf(await listAll(connector));
    server.onContent = () => void server.put('a.txt', Buffer.from('new'));
    const { body } = await connector.fetch(entry!, noAbort);
    const failure: unknown = await readBody(body).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ItemFailed);
    expect(failure).toMatchObject({ path: 'a.txt', reason: 'changed' });
  });

  test('an address that is not public is refused before a connection, in every method', async () => {
    const server = await start();
    const connector = open(server, {}, { outbound: new OutboundClient(new AddressRules([])) });
    const entry = { path: 'a', id: 'a', version: 'v' };
    const works = [() => listAll(connector), () => connector.test(noAbort), () => connector.fetch(entry, noAbort)];
    for (const work of works) await expect(work()).rejects.toMatchObject({ type: 'address_refused' });
    expect(server.tokens.size).toBe(0);
  });

  test('a configuration needs a site or a drive', () => {
    const none = { ...APP, driveId: undefined };
    expect(() => cloudDrive.open(none, CONTEXT)).toThrow("'siteId' or 'driveId' is required");
  });
});
