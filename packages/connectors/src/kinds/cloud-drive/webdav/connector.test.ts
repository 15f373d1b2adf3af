// large: starts the servers of other projects
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../../conformance.ts';
import { CONTEXT, listAll, noAbort, pathsOf } from '../../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../../conformance/source.ts';
import { CredentialsRefused, ListingFailed, SourceUnavailable } from '../../../connector-error.ts';
import { startFaultProxy, type FaultRules } from '../../../testing/fault-proxy.ts';
import { findProgram, testsAllServers } from '../../../testing/programs.ts';
import {
  servedTree,
  startRclone,
  startWsgidav,
  WEBDAV_USER,
  type WebdavServer,
} from '../../../testing/servers/webdav-servers.ts';
import { encodeKey } from '../../object-storage/keys.ts';
import { cloudDrive } from '../descriptor.ts';
import { Authorization } from './digest.ts';

const rulesOf = (root: string): FaultRules => ({
  answer(fault, request) {
    if (fault.kind === 'credentials') return { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } };
    if (fault.kind === 'missing-root') return { status: 404 };
    if (fault.kind === 'unavailable') {
      return { status: 503, headers: { 'retry-after': String(fault.retryAfterMs / 1000) } };
    }
    const isFolder = fault.kind === 'folder' && request.url === `/${root}/${encodeKey(fault.folder)}/`;
    const isFile = fault.kind === 'file' && request.url === `/${root}/${encodeKey(fault.path)}`;
    return isFolder || (isFile && request.method === 'GET') ? { status: 403 } : null;
  },
  entriesOf: (body) => body.split(/<[\w:]*response>/).length - 2,
  hide: (file, { headers }, body) => {
    const isOther = (response: string): boolean => !response.includes(`/${encodeKey(file)}</`);
    const responses = /<(?:\w+:)?response[ >].*?<\/(?:\w+:)?response>/gs;
    return headers['depth'] === '0' ? body : body.replaceAll(responses, (each) => (isOther(each) ? each : ''));
  },
});

/** Each case has a folder of its own on one server, as starting a server takes seconds. */
function fixtureOf(name: string, started: () => WebdavServer): ConnectorFixture {
  let cases = 0;
  return {
    name: `webdav on ${name}`,
    without: {
      links: 'the protocol shows a link as a folder',
      'file-like-folder': 'a folder has one entry of a name',
    },
    start: async () => {
      cases += 1;
      const server = started();
      const folder = `root ${cases} ü`;
      const root = path.join(server.root, folder);
      await mkdir(root);
      await server.refresh();
      const proxy = await startFaultProxy(server.port, rulesOf(encodeKey(folder)));
      const url = `http://127.0.0.1:${proxy.port}/${encodeKey(folder)}`;
      return {
        ...servedTree(server, root),
        setFault: async (fault) => void (proxy.fault = fault),
        open: (context) => cloudDrive.open({ service: 'webdav', url, ...WEBDAV_USER }, context),
        close: () => proxy.close(),
      };
    },
  };
}

const [wsgidav, rclone] = [findProgram('wsgidav'), findProgram('rclone')];

describe.each([
  ['wsgidav', wsgidav, startWsgidav],
  ['rclone', testsAllServers ? rclone : null, startRclone],
] as const)('cloud_drive: webdav on %s', (name, program, startServer) => {
  if (program === null) {
    test.skip(`webdav on ${name}: the program is not installed, or one server is enough`, () => undefined);
    return;
  }
  let server: WebdavServer;
  beforeAll(async () => {
    server = await startServer(program);
  });
  afterAll(() => server.stop());

  describeConnector(fixtureOf(name, () => server));

  test('a wrong password needs attention', async () => {
    const config = { service: 'webdav', url: `http://127.0.0.1:${server.port}/`, ...WEBDAV_USER, password: 'wrong' };
    await expect(listAll(cloudDrive.open(config, CONTEXT))).rejects.toBeInstanceOf(CredentialsRefused);
  });
});

/** Starts a server that answers each PROPFIND with this XML. */
const answering = (xml: string, status = 207): Promise<string> => answeringWith(() => xml, status);

/** Starts a server that answers each PROPFIND by its depth. */
async function answeringWith(xmlOf: (depth: string) => string, status = 207): Promise<string> {
  const server = createServer(({ headers }, response) => response.writeHead(status).end(xmlOf(String(headers.depth))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/dav/`;
}

const open = (url: string) => cloudDrive.open({ service: 'webdav', url }, CONTEXT);

const resource = (href: string, props: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop>` +
  `<d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:getetag>wrong</d:getetag></d:prop>` +
  `<d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`;

describe('cloud_drive: webdav', () => {
  test('only direct children below the root are listed, however their addresses are written', async () => {
    const folder = '<d:resourcetype><d:collection/></d:resourcetype>';
    const file = '<d:getetag>W/"e1"</d:getetag><d:getcontentlength>3</d:getcontentlength>';
    const url = await answering(
      `<d:multistatus xmlns:d="DAV:">${resource('/dav/', folder)}${resource('/dav/a%20b.txt', file)}` +
        `${resource('http://other.example/dav/caf%c3%a9.txt', file)}${resource('/outside.txt', file)}` +
        `${resource('/dav/../../etc/passwd', file)}${resource('/dav/deep/down.txt', file)}</d:multistatus>`,
    );
    const pages = await listAll(open(url));
    expect(pathsOf(pages)).toEqual(['a b.txt', 'café.txt']);
    expect(pages.flatMap(({ entries }) => entries.map(({ version, sizeBytes }) => [version, sizeBytes]))).toEqual([
      ['e1', 3],
      ['e1', 3],
    ]);
  });

  test('an answer that is cut, is no XML or has another status is no empty folder', async () => {
    await expect(listAll(open(await answering('<d:multistatus xmlns:d="DAV:">')))).rejects.toBeInstanceOf(
      SourceUnavailable,
    );
    await expect(listAll(open(await answering('{"error":1}')))).rejects.toBeInstanceOf(ListingFailed);
    await expect(listAll(open(await answering('<html></html>', 200)))).rejects.toBeInstanceOf(ListingFailed);
  });

  test('a child without its properties is a failure of that path, and is not absent', async () => {
    const folder = '<d:resourcetype><d:collection/></d:resourcetype>';
    const failed = (name: string, more: string): string =>
      `<d:response><d:href>/dav/${name}</d:href>${more}</d:response>`;
    const status = (code: number): string => `<d:status>HTTP/1.1 ${code} x</d:status>`;
    const properties = (code: number): string =>
      `<d:propstat><d:prop><d:getetag/></d:prop>${status(code)}</d:propstat>`;
    const body = (...responses: string[]): string =>
      `<d:multistatus xmlns:d="DAV:">${responses.join('')}</d:multistatus>`;
    const children = [failed('a', properties(403)), failed('b', status(507)), failed('c', properties(404))];
    const all = body(resource('/dav/', folder), ...children, failed('gone', status(404)), resource('/dav/x', ''));
    const pages = await listAll(open(await answering(all)));
    expect(pathsOf(pages)).toEqual(['x']);
    expect(pages.flatMap(({ failures }) => failures.map((failure) => [failure.folder, failure.message]))).toEqual([
      ['a', 'the server did not return its properties (HTTP 403)'],
      ['b', 'the server did not return its properties (HTTP 507)'],
      ['c', 'the server did not return its properties'],
    ]);
    for (const [answer, existence] of [
      [properties(403), 'unknown'],
      [status(403), 'unknown'],
      [properties(404), 'unknown'],
      [status(404), 'absent'],
    ] as const) {
      const url = await answeringWith((depth) => (depth === '1' ? all : body(failed('x', answer))));
      expect([answer, await open(url).exists({ path: 'x' }, noAbort)]).toEqual([answer, existence]);
    }
    const asFolder = await answeringWith((depth) => (depth === '1' ? all : body(resource('/dav/x', folder))));
    expect(await open(asFolder).exists({ path: 'x' }, noAbort)).toBe('absent');
  });

  test('an answer about other addresses is no empty folder', async () => {
    const file = '<d:getetag>"e1"</d:getetag>';
    const moved = await answering(
      `<d:multistatus xmlns:d="DAV:">${resource('/elsewhere/a.txt', file)}</d:multistatus>`,
    );
    await expect(listAll(open(moved))).rejects.toMatchObject({ type: 'listing_failed', folder: '' });
    const folder = '<d:resourcetype><d:collection/></d:resourcetype>';
    const decomposed = `${resource('/dav/u%CC%88/', folder)}${resource('/dav/u%CC%88/a.txt', file)}`;
    const url = await answering(`<d:multistatus xmlns:d="DAV:">${decomposed}</d:multistatus>`);
    expect(pathsOf(await listAll(open(`${url}%C3%BC/`)))).toEqual(['a.txt']);
  });

  test('an address that is not public is refused before a connection, in every method', async () => {
    const outbound = new OutboundClient(new AddressRules([]));
    for (const url of [await answering(''), 'http://169.254.169.254/', 'http://[::1]/']) {
      const connector = cloudDrive.open({ service: 'webdav', url }, { ...CONTEXT, outbound });
      const entry = { path: 'a', version: 'v' };
      const works = [() => listAll(connector), () => connector.test(noAbort), () => connector.fetch(entry, noAbort)];
      for (const work of works) await expect(work()).rejects.toMatchObject({ type: 'address_refused' });
    }
  });

  test('Digest has precedence over Basic, and a second challenge is accepted only for a stale nonce', () => {
    const authorization = new Authorization({ username: 'u', password: 'p' });
    expect(authorization.header('GET', 'http://h/')).toBeUndefined();
    expect(authorization.accept('Basic realm="r", Digest realm="r", nonce="n1", qop="auth", algorithm=SHA-256')).toBe(
      true,
    );
    expect(authorization.header('GET', 'http://h/a?b')).toMatch(
      /^Digest username="u", realm="r", nonce="n1", uri="\/a\?b", response="[0-9a-f]{64}", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="[0-9a-f]{24}"$/,
    );
    expect(authorization.accept('Digest realm="r", nonce="n2", qop="auth"')).toBe(false);
    expect(authorization.accept('Digest realm="r", nonce="n3", qop="auth", stale=true')).toBe(true);
    const basic = new Authorization({ username: 'u', password: 'p' });
    expect([basic.accept('Basic realm="r"'), basic.accept('Basic realm="r"')]).toEqual([true, false]);
    // Another request without an authorization was sent before the first challenge arrived.
    expect(basic.accept('Basic realm="r"', true)).toBe(true);
    expect(basic.header('GET', 'http://h/')).toBe('Basic dTpw');
  });
});
