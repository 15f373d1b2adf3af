// large: starts the servers of other projects
// root: starts pure-ftpd
import { writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../conformance.ts';
import { CONTEXT, foldersOfPages, listAll, noAbort, pathsOf, readBody } from '../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../conformance/source.ts';
import { CredentialsRefused, ListingFailed, SourceUnavailable } from '../../connector-error.ts';
import type { Connector } from '../../connector.ts';
import { startFtpServer, type FtpServer } from '../../testing/ftp-server.ts';
import { findProgram, testsAllServers } from '../../testing/programs.ts';
import { folderTree } from '../../testing/servers/folder-tree.ts';
import { startPureFtpd, startVsftpd, type RealFtpServer } from '../../testing/servers/ftp-servers.ts';
import { ftp } from './descriptor.ts';

const configOf = ({ port }: { port: number }, more: object = {}): object => ({
  protocol: 'ftp',
  host: '127.0.0.1',
  port,
  allowPlaintext: true,
  ...more,
});

const fixtureOf = (name: string, hasMlsd: boolean): ConnectorFixture => ({
  name,
  without: { links: 'the server of the test has no links', 'file-like-folder': 'a folder has one entry of a name' },
  namesDelays: false,
  start: async () => {
    const server = await startFtpServer();
    server.hasMlsd = hasMlsd;
    return {
      write: async (file, bytes) => server.write(file, bytes),
      move: async (from, to) => {
        server.files.set(to, server.files.get(from)!);
        server.files.delete(from);
      },
      remove: async (file) => void server.files.delete(file),
      setFault: async (fault) => void (server.fault = fault),
      open: (context) => ftp.open(configOf(server), context),
      close: () => server.close(),
    };
  },
});

describeConnector(fixtureOf('ftp with MLSD', true));
describeConnector(fixtureOf('ftp with lists of ls', false));

const WITHOUT_PROXY = {
  credentials: 'an established session keeps its login',
  cut: 'the server of the test cuts no list',
  hidden: 'the server of the test lists every file',
  'file-like-folder': 'a folder has one entry of a name',
  folder: 'the server of the test may read every folder',
  file: 'the server of the test may read every file',
  unavailable: 'an established session of a stopped server continues in its own process',
};

const realFixture = (name: string, start: () => Promise<RealFtpServer>): ConnectorFixture => ({
  name,
  namesDelays: false,
  without: WITHOUT_PROXY,
  start: async () => {
    const server = await start();
    let hasStopped = false;
    const stop = async (): Promise<void> => {
      if (!hasStopped) await server.stop();
      hasStopped = true;
    };
    // An open session keeps its process after the server has stopped.
    const opened: Connector[] = [];
    return {
      ...folderTree(server.root),
      setFault: async (fault) => {
        if (fault?.kind === 'missing-root') await rm(server.root, { recursive: true });
      },
      open: (context) => {
        const connector = ftp.open(configOf(server, server.config), { ...context, outbound: server.outbound });
        opened.push(connector);
        return connector;
      },
      close: async () => {
        for (const connector of opened) await connector.close();
        await stop();
      },
    };
  },
});

const vsftpd = findProgram('vsftpd');
if (vsftpd === null) test.skip('ftp on vsftpd: the program is not installed', () => undefined);
else {
  const fixture = realFixture('ftps on vsftpd', () => startVsftpd(vsftpd));
  describeConnector(fixture);

  describe('ftp on vsftpd', () => {
    test('a certificate that is not trusted is refused, as is a login without TLS if that is required', async () => {
      const server = await startVsftpd(vsftpd, ['force_anon_logins_ssl=YES', 'force_anon_data_ssl=YES']);
      onTestFinished(() => server.stop());
      await writeFile(path.join(server.root, 'a.txt'), 'a');
      const secure = configOf(server, { protocol: 'ftps', path: 'tree' });
      expect(await ftp.open(secure, { ...CONTEXT, outbound: server.outbound }).test(noAbort)).toEqual(['a.txt']);
      await expect(ftp.open(secure, CONTEXT).test(noAbort)).rejects.toBeInstanceOf(SourceUnavailable);
      await expect(ftp.open(configOf(server), CONTEXT).test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
    });
  });
}

const purePrograms = ['pure-ftpd', 'pure-pw'].map((name) => (userInfo().uid === 0 ? findProgram(name) : null));

const [pureFtpd = null, purePw = null] = purePrograms;

if (pureFtpd !== null && purePw !== null && testsAllServers) {
  const fixture = realFixture('ftps on pure-ftpd', () => startPureFtpd(pureFtpd, purePw));
  const root = 'an open session shows its deleted folder as an empty one; the brake holds the deletions back';
  describeConnector({ ...fixture, without: { ...WITHOUT_PROXY, 'missing-root': root } });
}
describe.skipIf(pureFtpd === null || purePw === null)('ftp on pure-ftpd (skipped without it or without root)', () => {
  test('a folder of 12,000 files, which the server cuts at 10,000, is never listed as a whole', async () => {
    const server = await startPureFtpd(pureFtpd ?? '', purePw ?? '');
    onTestFinished(() => server.stop());
    await mkdir(path.join(server.root, 'many'));
    for (let at = 0; at < 12_000; at += 1) writeFileSync(path.join(server.root, 'many', `${at}.txt`), '');
    await writeFile(path.join(server.root, 'few.txt'), 'few');
    const account = { username: 'tester', password: 'secret' };
    const context = { ...CONTEXT, outbound: server.outbound };
    for (const protocol of ['ftp', 'ftps']) {
      const pages = await listAll(ftp.open(configOf(server, { protocol, ...account }), context));
      expect(pathsOf(pages)).toEqual(['few.txt']);
      expect(pages.flatMap(({ failures }) => failures.map(({ folder }) => folder))).toEqual(['many']);
    }
    const wrong = ftp.open(configOf(server, { ...account, password: 'wrong' }), context);
    await expect(wrong.test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
  });
});

async function start(): Promise<FtpServer> {
  const server = await startFtpServer();
  onTestFinished(() => server.close());
  return server;
}

describe('ftp', () => {
  test('a list that the server cuts is no list of the folder', async () => {
    const server = await start();
    server.write('many/1.txt', Buffer.from('1'));
    server.write('few/2.txt', Buffer.from('2'));
    server.listReply = 'Output truncated to 10000 matches';
    await expect(listAll(ftp.open(configOf(server), CONTEXT))).rejects.toBeInstanceOf(ListingFailed);
  });

  test('a list with a line that is not legible is no list of the folder', async () => {
    const server = await start();
    server.hasMlsd = false;
    server.write('a.txt', Buffer.from('1'));
    server.extraLines = ['?rwx something 12'];
    await expect(listAll(ftp.open(configOf(server), CONTEXT))).rejects.toMatchObject({
      message: '1 lines of the list are not legible',
    });
  });

  test('a file is absent only if its folder does not list it and the server returns no size', async () => {
    const server = await start();
    for (const path of ['a/1.txt', 'a/b/2.txt', 'c.txt']) server.write(path, Buffer.from(path));
    const answers = async (...paths: string[]): Promise<string[]> => {
      const connector = ftp.open(configOf(server), CONTEXT);
      return Promise.all(paths.map((path) => connector.exists({ path }, noAbort)));
    };
    // A folder in place of a file, a folder that is gone, and a file below a file.
    expect(await answers('a/1.txt', 'a/b', 'a/none.txt', 'gone/deep/3.txt', 'c.txt/4.txt')).toEqual([
      'present',
      'absent',
      'absent',
      'absent',
      'absent',
    ]);
    server.fault = { kind: 'hidden', path: 'a/1.txt' };
    expect(await answers('a/1.txt')).toEqual(['present']);
    server.fault = { kind: 'folder', folder: 'a/b' };
    expect(await answers('a/b/2.txt', 'a/b/none.txt')).toEqual(['unknown', 'unknown']);
    server.fault = null;
    server.commands.length = 0;
    await answers('a/5.txt', 'a/6.txt', 'a/7.txt');
    expect(server.commands.filter((command) => command.startsWith('MLSD')).length).toBe(2);
    server.sizeReply = '550 permission denied';
    expect(await answers('a/5.txt')).toEqual(['unknown']);
    server.sizeReply = '502 not implemented';
    expect(await answers('a/5.txt', 'a/1.txt')).toEqual(['absent', 'present']);
    server.listReply = 'Output truncated to 10000 matches';
    await expect(answers('a/5.txt')).rejects.toMatchObject({ type: 'listing_failed', folder: '' });
  });

  test('files of lists without a year have a version of minutes, which MDTM completes while they are young', async () => {
    const server = await start();
    server.hasMlsd = false;
    for (const [name, time] of Object.entries({
      old: new Date('2019-03-04T05:06:07Z'),
      young: new Date(Date.now() - 60_000),
    })) {
      server.files.set(name, { bytes: Buffer.from('123'), time });
    }
    const connector = ftp.open(configOf(server), CONTEXT);
    const entries = (await listAll(connector)).flatMap((page) => page.entries);
    const young = server.files.get('young')!.time;
    expect(entries.map(({ version }) => version)).toEqual([
      'Mar  4 2019 3',
      `${new Date(Math.floor(young.getTime() / 1000) * 1000).toISOString()} 3`,
    ]);
    for (const entry of entries) {
      const file = await connector.fetch(entry, noAbort);
      expect([file.version, (await readBody(file.body)).toString()]).toEqual([entry.version, '123']);
    }
  });

  test('the address of a reply to PASV is not used', async () => {
    const server = await start();
    server.hasEpsv = false;
    server.passiveAddress = '169.254.169.254';
    server.write('a.txt', Buffer.from('content'));
    expect(pathsOf(await listAll(ftp.open(configOf(server), CONTEXT)))).toEqual(['a.txt']);
    expect(server.commands.filter((command) => command === 'EPSV').length).toBe(1);
  });

  test('a folder of the configuration is the root', async () => {
    const server = await start();
    server.write('in/a/1.txt', Buffer.from('1'));
    server.write('out/2.txt', Buffer.from('2'));
    for (const root of ['/in', 'in/']) {
      const pages = await listAll(ftp.open(configOf(server, { path: root }), CONTEXT));
      expect([pathsOf(pages), foldersOfPages(pages)]).toEqual([['a/1.txt'], ['']]);
    }
  });

  test('plain FTP needs a permission', () => {
    const open = (more: object) => () => ftp.open({ protocol: 'ftp', host: 'files.example.com', ...more }, CONTEXT);
    expect(open({})).toThrow("'ftp' is not encrypted");
    expect(open({ allowPlaintext: true })).not.toThrow();
  });

  test('a wrong password needs attention', async () => {
    const server = await start();
    const connector = ftp.open(configOf(server, { username: 'u', password: 'wrong' }), CONTEXT);
    await expect(connector.test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
  });

  test('an address that is not public is refused before a connection, in every method', async () => {
    const server = await start();
    const context = { ...CONTEXT, outbound: new OutboundClient(new AddressRules([])) };
    for (const protocol of ['ftp', 'ftps', 'sftp']) {
      for (const host of ['127.0.0.1', '169.254.169.254', '::1']) {
        const connector = ftp.open(configOf(server, { protocol, host, username: 'u' }), context);
        const entry = { path: 'a', version: 'v' };
        const works = [() => listAll(connector), () => connector.test(noAbort), () => connector.fetch(entry, noAbort)];
        for (const work of works) await expect(work()).rejects.toMatchObject({ type: 'address_refused' });
      }
    }
    expect(server.commands).toEqual([]);
  });
});
