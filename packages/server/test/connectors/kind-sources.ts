/** A source of each kind that the service can import from, on the servers of the connectors' own tests. */
import path from 'node:path';
import type { ConnectorDescriptor } from '@quire/connectors/connector-descriptor';
import { cloudDriveConfig } from '@quire/connectors/kinds/cloud-drive/config';
import { GoogleDriveConnector } from '@quire/connectors/kinds/cloud-drive/google/connector';
import { MicrosoftGraphConnector } from '@quire/connectors/kinds/cloud-drive/microsoft/connector';
import { KINDS } from '@quire/connectors/kinds/registry';
import { startDriveServer, type DriveServer } from '@quire/connectors/testing/drive-server';
import { startFtpServer } from '@quire/connectors/testing/ftp-server';
import { startGraphServer, type GraphServer } from '@quire/connectors/testing/graph-server';
import { findProgram, testsAllServers } from '@quire/connectors/testing/programs';
import { BUCKET, KEYS } from '@quire/connectors/testing/s3-server';
import { folderTree, type FolderTree } from '@quire/connectors/testing/servers/folder-tree';
import { startPureFtpd, startVsftpd } from '@quire/connectors/testing/servers/ftp-servers';
import {
  memoryStore,
  seaweedStore,
  versityStore,
  type ObjectStore,
} from '@quire/connectors/testing/servers/object-stores';
import { hasOpenSsh, startSshd } from '@quire/connectors/testing/servers/openssh';
import {
  servedTree,
  startRclone,
  startWsgidav,
  WEBDAV_USER,
  type WebdavServer,
} from '@quire/connectors/testing/servers/webdav-servers';
import { startWebSite } from '@quire/connectors/testing/web-site';

export interface KindSource extends Pick<FolderTree, 'write' | 'move' | 'remove'> {
  kind: string;
  config: Record<string, unknown>;
  close(): Promise<void>;
}

export interface SharedSource extends KindSource {
  /** Creates a file, or changes the users that may read it. */
  share(file: string, users: readonly string[]): Promise<void>;
}

export interface KindSetup {
  kind: string;
  name: string;
  /** Reason why the kind cannot be tested here; null if it can. */
  missing: string | null;
  /** Lists only changes after the first synchronisation. */
  hasFeed?: boolean;
  /** Deletes a file only if it is missing twice, so that a moved one is a new one. */
  deletesLate?: boolean;
  start(): Promise<KindSource>;
}

const drives: { google?: DriveServer; graph?: GraphServer } = {};

/** All kinds; the drives of Google and Microsoft are the servers of the tests. */
export const KINDS_OF_SOURCES: Readonly<Record<string, ConnectorDescriptor | null>> = {
  ...KINDS,
  cloud_drive: {
    ...KINDS.cloud_drive!,
    open: (config, context) => {
      const checked = cloudDriveConfig.parse(config);
      if (checked.service === 'google_drive') return new GoogleDriveConnector(checked, context, drives.google);
      if (checked.service === 'microsoft_graph') return new MicrosoftGraphConnector(checked, context, drives.graph);
      return KINDS.cloud_drive!.open(config, context);
    },
  },
};

const report = (file: string): Buffer => Buffer.from(`The report ${file}.`);

async function bucket(start: () => Promise<ObjectStore>): Promise<KindSource> {
  const store = await start();
  return {
    kind: 'object_storage',
    config: { bucket: BUCKET, endpoint: `http://127.0.0.1:${store.port}`, ...KEYS },
    write: (key, bytes) => store.put(key, bytes),
    move: async (from, to) => {
      await store.put(to, await store.read(from));
      await store.remove(from);
    },
    remove: (key) => store.remove(key),
    close: () => store.close(),
  };
}

async function site(): Promise<KindSource> {
  const web = await startWebSite();
  const { pages, origin } = web;
  const addressOf = (file: string): string => `/${file.split('/').map(encodeURIComponent).join('/')}`;
  web.fallback = (address) => {
    if (address !== '/') return null;
    return { body: [...pages.keys()].map((each) => `<a href="${each}">page</a>`).join('\n'), hasEtag: false };
  };
  return {
    kind: 'web',
    config: { startUrls: [`${origin}/`], requestsPerSecond: 100 },
    write: async (file, bytes) => void pages.set(addressOf(file), { body: bytes, type: 'text/plain' }),
    move: async (from, to) => {
      pages.set(addressOf(to), pages.get(addressOf(from))!);
      pages.delete(addressOf(from));
    },
    remove: async (file) => void pages.delete(addressOf(file)),
    close: () => web.close(),
  };
}

async function webdav(start: () => Promise<WebdavServer>): Promise<KindSource> {
  const server = await start();
  return {
    kind: 'cloud_drive',
    config: { service: 'webdav', url: `http://127.0.0.1:${server.port}/`, ...WEBDAV_USER },
    ...servedTree(server),
    close: () => server.stop(),
  };
}

export async function googleDrive(): Promise<SharedSource> {
  const server = await startDriveServer();
  drives.google = server;
  return {
    kind: 'cloud_drive',
    config: { service: 'google_drive', refreshToken: 'refresh', clientId: 'client', clientSecret: 'the-secret' },
    write: async (file, bytes) => void server.put(file, bytes),
    move: async (from, to) => {
      const folder = path.posix.dirname(to);
      const parent = server.put(folder, null);
      server.change(server.idOf(from), { name: path.posix.basename(to), parents: [parent] });
    },
    remove: async (file) => server.change(server.idOf(file), { trashed: true }),
    share: async (file, users) => {
      const permissions = users.map((emailAddress) => ({ type: 'user', emailAddress }));
      server.put(file, report(file), { permissions });
    },
    close: () => server.close(),
  };
}

export async function graph(): Promise<SharedSource> {
  const server = await startGraphServer();
  server.downloadHost = '127.0.0.1';
  drives.graph = server;
  const account = { tenantId: 'contoso', clientId: 'app', clientSecret: 'the-secret', driveId: 'drive-1' };
  return {
    kind: 'cloud_drive',
    config: { service: 'microsoft_graph', ...account },
    write: async (file, bytes) => void server.put(file, bytes),
    move: async (from, to) => server.move(server.idOf(from), to),
    remove: async (file) => server.delete(server.idOf(file)),
    share: async (file, users) => {
      const granted = users.map((email) => ({ grantedToV2: { user: { email } } }));
      const id = server.items.has(server.idOf(file)) ? server.idOf(file) : server.put(file, report(file));
      server.permissions.set(id, granted);
      // The service reports changes of content only; this one has the same content.
      server.feed.push(id);
    },
    close: () => server.close(),
  };
}

async function ftp(): Promise<KindSource> {
  const server = await startFtpServer();
  return {
    kind: 'ftp',
    config: { protocol: 'ftp', host: '127.0.0.1', port: server.port, allowPlaintext: true },
    write: async (file, bytes) => server.write(file, bytes),
    move: async (from, to) => {
      server.files.set(to, server.files.get(from)!);
      server.files.delete(from);
    },
    remove: async (file) => void server.files.delete(file),
    close: () => server.close(),
  };
}

/** `ftp` in place of `ftps`, because the service has no trust in the certificate of the test. */
async function ftpOn(start: typeof startVsftpd, program: string, more?: string): Promise<KindSource> {
  const server = await (more === undefined ? start(program) : startPureFtpd(program, more));
  return {
    kind: 'ftp',
    config: { ...server.config, protocol: 'ftp', host: '127.0.0.1', port: server.port, allowPlaintext: true },
    ...folderTree(server.root),
    close: () => server.stop(),
  };
}

async function sftp(): Promise<KindSource> {
  const server = await startSshd();
  return { kind: 'ftp', config: server.config, ...folderTree(server.root), close: () => server.stop() };
}

function onProgram(
  kind: string,
  name: string,
  program: string,
  start: (file: string) => Promise<KindSource>,
  isOptional = false,
): KindSetup {
  const file = isOptional && !testsAllServers ? null : findProgram(program);
  const reason = isOptional && !testsAllServers ? 'without QUIRE_TEST_ALL_SERVERS' : `${program} is not installed`;
  return { kind, name, missing: file === null ? reason : null, start: () => start(file ?? '') };
}

const purePw = process.getuid?.() === 0 ? findProgram('pure-pw') : null;

/** Kind of which alone the sources are tested. */
const onlyKind = process.env['QUIRE_TEST_CONNECTOR_KIND'];

export const testsKind = (kind: string): boolean => onlyKind === undefined || kind === onlyKind;

const ALL_SETUPS: readonly KindSetup[] = [
  { kind: 'object_storage', name: 'object_storage', missing: null, start: () => bucket(memoryStore) },
  { kind: 'web', name: 'web', missing: null, deletesLate: true, start: site },
  { kind: 'cloud_drive', name: 'google_drive', missing: null, hasFeed: true, start: googleDrive },
  { kind: 'cloud_drive', name: 'microsoft_graph', missing: null, hasFeed: true, start: graph },
  { kind: 'ftp', name: 'ftp', missing: null, start: ftp },
  { kind: 'ftp', name: 'sftp on OpenSSH', missing: hasOpenSsh ? null : 'sshd is not installed', start: sftp },
  onProgram('cloud_drive', 'webdav on wsgidav', 'wsgidav', (file) => webdav(() => startWsgidav(file))),
  onProgram(
    'object_storage',
    'object_storage on versitygw',
    'versitygw',
    (file) => bucket(() => versityStore(file)),
    true,
  ),
  onProgram('object_storage', 'object_storage on SeaweedFS', 'weed', (file) => bucket(() => seaweedStore(file)), true),
  onProgram('cloud_drive', 'webdav on rclone', 'rclone', (file) => webdav(() => startRclone(file)), true),
  onProgram('ftp', 'ftp on vsftpd', 'vsftpd', (file) => ftpOn(startVsftpd, file), true),
  purePw === null
    ? {
        kind: 'ftp',
        name: 'ftp on pure-ftpd',
        missing: 'pure-ftpd is not installed, or the user is not root',
        start: ftp,
      }
    : onProgram('ftp', 'ftp on pure-ftpd', 'pure-ftpd', (file) => ftpOn(startVsftpd, file, purePw), true),
];

export const SETUPS = ALL_SETUPS.filter(({ kind }) => testsKind(kind));
