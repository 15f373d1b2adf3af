// large: starts the servers of other projects
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../conformance.ts';
import { CONTEXT, listAll, noAbort, pathsOf, readBody } from '../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../conformance/source.ts';
import { CredentialsRefused } from '../../connector-error.ts';
import type { SourceEntry } from '../../connector.ts';
import { startFaultProxy, type FaultRules } from '../../testing/fault-proxy.ts';
import { findProgram, testsAllServers } from '../../testing/programs.ts';
import { BUCKET, KEYS, startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { memoryStore, seaweedStore, versityStore, type ObjectStore } from '../../testing/servers/object-stores.ts';
import { objectStorage } from './descriptor.ts';
import { encodeComponent, encodeKey } from './keys.ts';

const xml = (code: string): string => `<Error><Code>${code}</Code><Message>refused</Message></Error>`;

const rules: FaultRules = {
  answer(fault, request) {
    if (fault.kind === 'credentials') return { status: 403, body: xml('InvalidAccessKeyId') };
    if (fault.kind === 'missing-root') return { status: 404, body: xml('NoSuchBucket') };
    if (fault.kind === 'unavailable') {
      const headers = { 'retry-after': String(fault.retryAfterMs / 1000) };
      return { status: 503, headers, body: xml('SlowDown') };
    }
    const isFile = fault.kind === 'file' && request.url === `/${BUCKET}/${encodeKey(fault.path)}`;
    return isFile ? { status: 403, body: xml('AccessDenied') } : null;
  },
  entriesOf: (body) => body.split('<Contents>').length - 1,
  hide: (path, request, body) => {
    const keys = [encodeKey(path), encodeComponent(path)].map((key) => `<Key>${key}</Key>`);
    const isOther = (object: string): boolean => !keys.some((key) => object.includes(key));
    return body.replaceAll(/<Contents>.*?<\/Contents>/gs, (object) => (isOther(object) ? object : ''));
  },
};

const fixtureOf = (
  name: string,
  start: () => Promise<ObjectStore>,
  without: ConnectorFixture['without'] = {},
): ConnectorFixture => ({
  name,
  without: { folder: 'one listing has the keys of all folders', links: 'objects have no links', ...without },
  start: async () => {
    const backend = await start();
    const proxy = await startFaultProxy(backend.port, rules);
    const config = { bucket: BUCKET, endpoint: `http://127.0.0.1:${proxy.port}`, ...KEYS };
    return {
      write: (key, bytes) => backend.put(key, bytes),
      move: async (from, to) => {
        await backend.put(to, await backend.read(from));
        await backend.remove(from);
      },
      remove: (key) => backend.remove(key),
      setFault: async (fault) => void (proxy.fault = fault),
      open: (context) => objectStorage.open(config, context),
      close: async () => {
        await proxy.close();
        await backend.close();
      },
    };
  },
});

describeConnector(fixtureOf('object_storage', memoryStore));

const [versitygw, weed] = [findProgram('versitygw'), findProgram('weed')];
if (versitygw === null) test.skip('object_storage on versitygw: the program is not installed', () => undefined);
else {
  const without = { 'file-like-folder': 'the server stores objects as files' };
  describeConnector(fixtureOf('object_storage on versitygw', () => versityStore(versitygw), without));
}
if (weed === null) test.skip('object_storage on SeaweedFS: the program is not installed', () => undefined);
else if (testsAllServers) describeConnector(fixtureOf('object_storage on SeaweedFS', () => seaweedStore(weed)));

async function server(): Promise<S3Server> {
  const started = await startS3Server();
  onTestFinished(() => started.close());
  return started;
}

const configOf = ({ port }: S3Server, more: object = {}): object => ({
  bucket: BUCKET,
  endpoint: `http://127.0.0.1:${port}`,
  ...KEYS,
  ...more,
});

describe('object_storage', () => {
  test('only objects with the prefix are listed, and markers of folders are not', async () => {
    const source = await server();
    for (const key of ['in/a.txt', 'in/', 'in/b/', 'in/b/c.txt', 'inside.txt', 'out/d.txt']) {
      source.write(key, Buffer.from(key));
    }
    const connector = objectStorage.open(configOf(source, { prefix: 'in/' }), CONTEXT);
    expect(pathsOf(await listAll(connector))).toEqual(['in/a.txt', 'in/b/c.txt']);
  });

  test('a public bucket is read without keys, and a private one refuses that', async () => {
    const source = await server();
    source.write('a.txt', Buffer.from('a'));
    const connector = objectStorage.open({ bucket: BUCKET, endpoint: `http://127.0.0.1:${source.port}` }, CONTEXT);
    await expect(connector.test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
    source.isPublic = true;
    expect(await connector.test(noAbort)).toEqual(['a.txt']);
  });

  test.each([true, false])('odd keys are listed and read; server that encodes keys: %s', async (encodesKeys) => {
    const source = await server();
    source.encodesKeys = encodesKeys;
    const keys = ["#é'()*!.txt", 'a+b c%20.txt', '//double//slash', '%/percent', 'q?x=1&y.txt', 'tab\tkey', 'a/../b'];
    for (const key of keys) source.write(key, Buffer.from(`content of ${key}`));
    const connector = objectStorage.open(configOf(source), CONTEXT);
    const entries: SourceEntry[] = (await listAll(connector)).flatMap((page) => page.entries);
    const read: string[] = [];
    for (const entry of entries.filter(({ skip }) => skip === undefined)) {
      read.push((await readBody((await connector.fetch(entry, noAbort)).body)).toString());
    }
    expect(read.toSorted()).toEqual(
      keys
        .slice(0, -1)
        .map((key) => `content of ${key}`)
        .toSorted(),
    );
    expect(entries.filter(({ skip }) => skip).map(({ path: each, skip }) => [each, skip?.type])).toEqual([
      ['a/%../b', 'unsupported_name'],
    ]);
  });

  test('a bucket of another region is read in the region that the service names', async () => {
    const source = await server();
    source.region = 'eu-central-1';
    source.write('a.txt', Buffer.from('a'));
    expect(await objectStorage.open(configOf(source), CONTEXT).test(noAbort)).toEqual(['a.txt']);
  });

  test('the bucket is part of the path or of the host, as the configuration says', async () => {
    const source = await server();
    source.write('a b/ü.txt', Buffer.from('content'));
    const hosts: string[] = [];
    const resolve = async (host: string) => {
      hosts.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const outbound = new OutboundClient(new AddressRules(['127.0.0.0/8']), { resolve });
    onTestFinished(() => outbound.close());
    const endpoint = `http://s3.test:${source.port}`;
    for (const forcePathStyle of [true, false]) {
      const connector = objectStorage.open(configOf(source, { endpoint, forcePathStyle }), { ...CONTEXT, outbound });
      const [entry = { path: '', version: '' }] = (await listAll(connector)).flatMap(({ entries }) => [...entries]);
      expect(entry.path).toBe('a b/ü.txt');
      expect((await readBody((await connector.fetch(entry, noAbort)).body)).toString()).toBe('content');
    }
    expect([...new Set(hosts)]).toEqual(['s3.test', `${BUCKET}.s3.test`]);
  });

  test('an address that is not public is refused before a connection, in every method', async () => {
    const source = await server();
    source.write('a.txt', Buffer.from('a'));
    const outbound = new OutboundClient(new AddressRules([]));
    for (const endpoint of [`http://127.0.0.1:${source.port}`, 'http://169.254.169.254', 'http://[::1]:9000']) {
      const connector = objectStorage.open(configOf(source, { endpoint }), { ...CONTEXT, outbound });
      const entry = { path: 'a.txt', version: 'v' };
      const works = [() => listAll(connector), () => connector.test(noAbort), () => connector.fetch(entry, noAbort)];
      for (const work of works) await expect(work()).rejects.toMatchObject({ type: 'address_refused' });
    }
  });
});
