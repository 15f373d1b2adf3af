import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { describeConnector } from '../../../conformance.ts';
import { CONTEXT, foldersOfPages, listAll, noAbort, pathsOf, readBody } from '../../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../../conformance/source.ts';
import { CredentialsRefused, ListingFailed } from '../../../connector-error.ts';
import type { Connector, ConnectorContext } from '../../../connector.ts';
import { startDriveServer, type DriveServer } from '../../../testing/drive-server.ts';
import { cloudDriveConfig, type GoogleDriveConfig } from '../config.ts';
import { cloudDrive } from '../descriptor.ts';
import { entriesOf, startFor, testDrive, tokenOf } from '../drive-cases.ts';
import { GoogleDriveConnector } from './connector.ts';

const CONSENT = { refreshToken: 'refresh', clientId: 'client', clientSecret: 'secret' };
const APPS = 'application/vnd.google-apps.';

function open(server: DriveServer, more: object = {}, context: Partial<ConnectorContext> = {}): Connector {
  const config = cloudDriveConfig.parse({ service: 'google_drive', ...CONSENT, ...more }) as GoogleDriveConfig;
  return new GoogleDriveConnector(config, { ...CONTEXT, ...context }, server);
}

const fixture: ConnectorFixture = {
  name: 'google_drive',
  without: {
    links: 'shortcuts have a test of their own',
    'file-like-folder': 'a name that occurs again gets an addition, which has a test of its own',
  },
  start: async () => {
    const server = await startDriveServer();
    return {
      write: async (path, bytes) => void server.put(path, bytes),
      move: async (from, to) => {
        const id = server.idOf(from);
        const { bytes, parents } = server.files.get(server.put(`${to}.part`, server.files.get(id)!.bytes!))!;
        server.delete(server.idOf(`${to}.part`));
        server.change(id, { name: to.slice(to.lastIndexOf('/') + 1), parents, ...(bytes ? { bytes } : {}) });
      },
      remove: async (path) => server.change(server.idOf(path), { trashed: true }),
      setFault: async (fault) => void (server.fault = fault),
      open: (context) => open(server, {}, context),
      close: () => server.close(),
    };
  },
};

describeConnector(fixture);

const start = () => startFor(startDriveServer);

describe('google_drive', () => {
  testDrive(startDriveServer, open);

  test('documents of the editors are exported, other types of Google and shortcuts are skipped', async () => {
    const server = await start();
    const put = (name: string, type: string): string =>
      server.put(name, null, { mimeType: `${APPS}${type}`, id: `id of ${name}` });
    put('Plan', 'document');
    put('Budget', 'spreadsheet');
    put('Talk', 'presentation');
    put('Survey', 'form');
    put('Link', 'shortcut');
    put('huge', 'document');
    server.put('locked.pdf', Buffer.from('x'), { capabilities: { canDownload: false } });
    const connector = open(server);
    const entries = entriesOf(await listAll(connector));
    expect(entries.map(({ path, skip }) => `${path} ${skip?.type ?? '-'}`).toSorted()).toEqual([
      'Budget.xlsx -',
      'Link shortcut',
      'Plan.docx -',
      'Survey unsupported_file_type',
      'Talk.pptx -',
      'huge.docx -',
      'locked.pdf no_download',
    ]);
    const plan = entries.find(({ path }) => path === 'Plan.docx')!;
    const file = await connector.fetch(plan, noAbort);
    expect([file.version, (await readBody(file.body)).toString()]).toEqual([
      plan.version,
      'Plan as application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ]);
    const huge = await connector
      .fetch(
        entries.find(({ path }) => path === 'huge.docx')!,
        noAbort,
      )
      .catch((error: unknown) => error);
    expect(huge).toMatchObject({ reason: 'too_large' });
  });

  test('permissions are the readers of a file, and absent if the account may not see them', async () => {
    const server = await start();
    const permissions = [
      { type: 'user', emailAddress: 'ada@example.com' },
      { type: 'group', emailAddress: 'staff@example.com' },
      { type: 'domain', domain: 'example.com' },
      { type: 'anyone' },
      { type: 'user', emailAddress: 'gone@example.com', deleted: true },
    ];
    server.put('shared.txt', Buffer.from('x'), { permissions });
    server.put('unknown.txt', Buffer.from('x'));
    const entries = entriesOf(await listAll(open(server)));
    expect(Object.fromEntries(entries.map(({ path, permissions: readers }) => [path, readers]))).toEqual({
      'shared.txt': ['user:ada@example.com', 'group:staff@example.com', 'group:example.com', 'public'],
      'unknown.txt': undefined,
    });
  });

  test('names that occur twice, or hold a slash, are unique paths that can be fetched', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('1'), { id: 'one' });
    server.put('a.txt', Buffer.from('2'), { id: 'two' });
    server.put('x', Buffer.from('3'), { id: 'three', name: '10/12 notes' });
    const connector = open(server);
    const entries = entriesOf(await listAll(connector));
    const contents: string[] = [];
    for (const entry of entries) {
      contents.push(`${entry.path}: ${(await readBody((await connector.fetch(entry, noAbort)).body)).toString()}`);
    }
    expect(contents).toEqual(['10\u221512 notes: 3', 'a (two).txt: 2', 'a.txt: 1']);
  });

  test('the change feed reports what was added, changed, moved, trashed and deleted since the listing', async () => {
    const server = await start();
    for (const path of ['a/1', 'a/2', 'b/3', 'b/4', 'c/5']) server.put(path, Buffer.from(path));
    const changesSince = tokenOf(await listAll(open(server)));
    const ids = Object.fromEntries(['a/1', 'a/2', 'b/3', 'b/4'].map((path) => [path, server.idOf(path)]));
    server.put('a/1', Buffer.from('new content'));
    server.put('a/new', Buffer.from('new'));
    server.change(ids['a/2']!, { trashed: true });
    server.change(ids['b/3']!, { parents: server.files.get(ids['a/1']!)!.parents });
    server.delete(ids['b/4']!);
    server.requests.length = 0;
    const pages = await listAll(open(server, {}, { changesSince, maxPageEntries: 3 }));
    expect(pathsOf(pages)).toEqual(['a/1', 'a/3', 'a/new']);
    expect(pages.flatMap(({ removed = [] }) => removed)).toEqual([{ id: ids['a/2'] }, { id: ids['b/4'] }]);
    expect([foldersOfPages(pages), tokenOf(pages)]).toEqual([[], String(server.feed.length)]);
    const none = await listAll(open(server, {}, { changesSince: tokenOf(pages) }));
    expect([entriesOf(none), none.length]).toEqual([[], 1]);
  });

  test('a file is verified by its id: in the trash or outside of the folder it is absent', async () => {
    const server = await start();
    for (const path of ['in/a', 'in/deep/b', 'out/c', 'in/trashed']) server.put(path, Buffer.from(path));
    const connector = open(server, { folderId: server.idOf('in') });
    const ids = ['in/a', 'in/deep/b', 'out/c', 'in/trashed'].map((path) => server.idOf(path));
    server.change(ids[3]!, { trashed: true });
    const answers = (): Promise<string[]> =>
      Promise.all([...ids, 'no id'].map((id) => connector.exists({ path: 'any', id }, noAbort)));
    expect(await answers()).toEqual(['present', 'present', 'absent', 'absent', 'absent']);
    expect(await connector.exists({ path: 'any' }, noAbort)).toBe('unknown');
    // The account may not see the folder of the file.
    server.change(ids[0]!, { parents: [] });
    expect((await answers())[0]).toBe('unknown');
  });

  test('a changed file that its folder does not list leads to a listing of everything', async () => {
    const server = await start();
    for (const path of ['a/1', 'a/2']) server.put(path, Buffer.from(path));
    const changesSince = tokenOf(await listAll(open(server)));
    const id = server.idOf('a/1');
    server.put('a/1', Buffer.from('new content'));
    server.fault = { kind: 'hidden', path: 'a/1' };
    const pages = await listAll(open(server, {}, { changesSince }));
    expect([pathsOf(pages), foldersOfPages(pages), pages.flatMap(({ removed = [] }) => removed)]).toEqual([
      ['a/2'],
      [''],
      [],
    ]);
    expect(await open(server).exists({ path: 'a/1', id }, noAbort)).toBe('present');
  });

  test('a changed folder, or a position that is too old, leads to a listing of everything', async () => {
    const server = await start();
    server.put('a/1', Buffer.from('1'));
    const changesSince = tokenOf(await listAll(open(server)));
    server.change(server.idOf('a'), { name: 'renamed' });
    const renamed = await listAll(open(server, {}, { changesSince }));
    expect([pathsOf(renamed), foldersOfPages(renamed)]).toEqual([['renamed/1'], ['']]);
    server.oldest = server.feed.length + 1;
    const expired = await listAll(open(server, {}, { changesSince: tokenOf(renamed) }));
    expect([pathsOf(expired), foldersOfPages(expired)]).toEqual([['renamed/1'], ['']]);
  });

  test('a folder that the service searched in part is not listed', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('1'));
    server.isSearchIncomplete = true;
    await expect(listAll(open(server))).rejects.toBeInstanceOf(ListingFailed);
  });

  test('a shared drive is listed with the parameters that make it complete', async () => {
    const server = await start();
    server.put('a.txt', Buffer.from('1'));
    await listAll(open(server, { sharedDriveId: 'root' }));
    const query = server.requests.find(({ searchParams }) => searchParams.has('q'))!.searchParams;
    expect(
      ['corpora', 'driveId', 'includeItemsFromAllDrives', 'supportsAllDrives'].map((name) => query.get(name)),
    ).toEqual(['drive', 'root', 'true', 'true']);
  });

  test('a service account signs an assertion; an unusable key needs attention', async () => {
    const server = await start();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const withKey = (private_key: string) => ({
      serviceAccount: { type: 'service_account', client_email: 'robot@example.com', private_key },
      refreshToken: undefined,
    });
    expect(await open(server, withKey(key)).test(noAbort)).toEqual([]);
    const [, claims = ''] = server.grants[0]!.get('assertion')!.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'robot@example.com',
      scope: 'https://www.googleapis.com/auth/drive.readonly',
      aud: 'https://oauth2.googleapis.com/token',
    });
    await expect(open(server, withKey('no key')).test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
  });

  test('a configuration without credentials is refused', () => {
    expect(() => cloudDrive.open({ service: 'google_drive' }, CONTEXT)).toThrow(
      "'serviceAccount' or 'refreshToken' is required",
    );
    const partial = { service: 'google_drive', refreshToken: 'r' };
    expect(() => cloudDrive.open(partial, CONTEXT)).toThrow("'refreshToken' needs 'clientId' and 'clientSecret'");
  });
});
