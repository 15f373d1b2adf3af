import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { findProgram, testsAllServers } from '@quire/connectors/testing/programs';
import { BUCKET, KEYS as SERVER_KEYS } from '@quire/connectors/testing/s3-server';
import { seaweedStore, versityStore } from '@quire/connectors/testing/servers/object-stores';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeObjectStore } from '../conformance.ts';
import { StorageUnavailable } from '../../shared/storage-unavailable.ts';
import { parseS3Location } from './s3-location.ts';
import { S3Store, type S3StoreOptions } from './s3-store.ts';
import { startS3TestServer, type S3TestServer } from './testing/s3-server.ts';

const KEYS = { access: 'test-access', secret: 'test-secret-key' };

/** Some servers take many seconds to start. */
const START_MS = 120_000;

function stubKeys(): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.access);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secret);
}

beforeAll(stubKeys);
afterAll(() => void vi.unstubAllEnvs());

const newFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'quire-s3-'));

async function openStore(
  endpoint: string,
  more: Partial<Omit<S3StoreOptions, 'location'>> & { query?: string; prefix?: string; bucket?: string } = {},
): Promise<{ store: S3Store; remove: () => Promise<void>; cacheDir: string }> {
  const { query = '', prefix = '/quire', bucket = 'documents', ...options } = more;
  const cacheDir = await newFolder();
  const location = parseS3Location(`s3://${bucket}${prefix}?endpoint=${encodeURIComponent(endpoint)}${query}`);
  const store = await S3Store.open({ location, cacheDir, cacheBytes: 1_000_000, ...options });
  return { store, cacheDir, remove: () => rm(cacheDir, { recursive: true, force: true }) };
}

describeObjectStore('S3 store', async () => {
  const server = await startS3TestServer();
  const { store, remove } = await openStore(server.endpoint);
  return { store, remove: () => Promise.all([remove(), server.close()]).then(() => undefined) };
});

/** `npm run connector-servers` installs them, and `QUIRE_TEST_ALL_SERVERS=1` uses both. */
const SERVERS = [
  { name: 'versitygw', program: findProgram('versitygw'), start: versityStore, isUsed: true },
  { name: 'SeaweedFS', program: findProgram('weed'), start: seaweedStore, isUsed: testsAllServers },
];

for (const { name, program, start, isUsed } of SERVERS) {
  describe.skipIf(program === null || !isUsed)(name, () => {
    let port: number;
    let stop: () => Promise<void>;
    let stores = 0;
    const open = (prefix = '/quire'): ReturnType<typeof openStore> =>
      openStore(`http://127.0.0.1:${port}`, { prefix, bucket: BUCKET });
    beforeAll(async () => {
      vi.stubEnv('AWS_ACCESS_KEY_ID', SERVER_KEYS.accessKeyId);
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', SERVER_KEYS.secretAccessKey);
      ({ port, close: stop } = await start(program ?? ''));
    }, START_MS);
    afterAll(async () => {
      await stop();
      stubKeys();
    });

    describeObjectStore(`S3 store on ${name}`, () => open(`/quire-${(stores += 1)}`));

    test('an object of several parts is read as it was put', async () => {
      const { store, remove } = await open();
      const bytes = randomBytes(12_000_000);
      expect(await store.put('large', Readable.from([bytes]))).toEqual({ sizeBytes: bytes.length });
      const read = await buffer((await store.get('large')) ?? Readable.from([]));
      expect(sha256(read)).toBe(sha256(bytes));
      await store.close();
      await remove();
    });
  });
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('with failures', () => {
  let server: S3TestServer;
  let store: S3Store;
  let remove: () => Promise<void>;
  const limits = { attempts: 3 };
  beforeEach(async () => {
    server = await startS3TestServer();
    ({ store, remove } = await openStore(server.endpoint, { limits }));
    server.requests.length = 0;
  });
  afterEach(async () => {
    await store.close();
    await remove();
    await server.close();
  });
  const content = (key: string): Buffer | undefined => server.objects.get(`quire/${key}`)?.bytes;
  const read = async (key: string): Promise<Buffer> => buffer((await store.get(key)) ?? Readable.from([]));
  /** Fails the first requests of a method. */
  const failing = (method: string, faults: ReturnType<S3TestServer['fault']>[]): void => {
    server.fault = (request) => (request.method === method ? faults.shift() : undefined);
  };

  test('repeats a request that was answered with 500 or 503', async () => {
    failing('PUT', [{ status: 500 }, { status: 503 }]);
    await store.put('a', Buffer.from('content'));
    expect(content('a')?.toString()).toBe('content');
    failing('GET', [{ status: 503 }]);
    expect((await read('a')).toString()).toBe('content');
  });

  test('fails when the service keeps failing, and stores nothing', async () => {
    server.fault = () => ({ status: 500 });
    await expect(store.put('a', Buffer.from('content'))).rejects.toMatchObject({
      name: 'StorageUnavailable',
      cause: { name: 'InjectedFault', $metadata: { httpStatusCode: 500 } },
    });
    await expect(store.stat('a')).rejects.toBeInstanceOf(StorageUnavailable);
    expect(server.objects.size).toBe(0);
    expect(server.requests).toHaveLength(6);
  });

  test('a refusal is no outage', async () => {
    server.fault = () => ({ status: 403 });
    await expect(store.put('a', Buffer.from('content'))).rejects.toMatchObject({ name: 'InjectedFault' });
  });

  test('continues a download where the connection was cut, and where it stalled', async () => {
    const bytes = randomBytes(200_000);
    await store.put('a', bytes);
    const impatient = await openStore(server.endpoint, { limits: { silenceMs: 500 } });
    failing('GET', [{ cutAfter: 70_000 }, { stallAfter: 50_000 }]);
    server.requests.length = 0;
    const received = await buffer((await impatient.store.get('a')) ?? Readable.from([]));
    expect(sha256(received)).toBe(sha256(bytes));
    const ranges = server.requests.map(({ headers }) => headers.range);
    expect(ranges.slice(0, 3)).toEqual([undefined, 'bytes=70000-', 'bytes=120000-']);
    await impatient.store.close();
    await impatient.remove();
  });

  test('fails a download whose object is replaced after the connection was cut', async () => {
    await store.put('a', Buffer.alloc(100_000, 'o'));
    server.fault = ({ method }) => {
      if (method !== 'GET') return undefined;
      server.fault = () => undefined;
      server.objects.set('quire/a', { ...server.objects.get('quire/a')!, etag: '"new"' });
      return { cutAfter: 10 };
    };
    const stream = await store.get('a');
    server.objects.set('quire/a', { ...server.objects.get('quire/a')!, etag: '"newer"' });
    await expect(buffer(stream ?? Readable.from([]))).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
  });

  test('refuses content that does not have its checksum, and downloads it again for a file', async () => {
    await store.put('a', Buffer.from('content'));
    failing('GET', [{ alter: true }]);
    await expect(read('a')).rejects.toMatchObject({ name: 'ObjectCorrupted' });
    failing('GET', [{ alter: true }]);
    const checkout = await store.checkout('a');
    expect(await readFile(checkout?.path ?? '', 'utf8')).toBe('content');
    server.fault = ({ method }) => (method === 'GET' ? { alter: true } : undefined);
    await store.put('b', Buffer.from('content'));
    await expect(store.checkout('b')).rejects.toMatchObject({ name: 'ObjectCorrupted' });
  });

  test('an upload that arrives altered is refused and not stored', async () => {
    failing('PUT', [{ alter: true }]);
    await expect(store.put('a', Buffer.from('content'))).rejects.toMatchObject({ name: 'BadDigest' });
    expect(content('a')).toBeUndefined();
    const upload = server.requests.find(({ method }) => method === 'PUT');
    expect(upload?.headers['x-amz-checksum-crc32']).toBeDefined();
  });

  test('sends a large file in parts, and repeats a failed part', async () => {
    const folder = await newFolder();
    const file = path.join(folder, 'upload');
    const bytes = randomBytes(12_000_000);
    await writeFile(file, bytes);
    let failures = 0;
    server.fault = ({ method, url }) =>
      method === 'PUT' && url.includes('partNumber=2') && (failures += 1) === 1 ? { status: 503 } : undefined;
    expect(await store.putFile('large', file)).toEqual({ sizeBytes: bytes.length });
    expect(sha256(content('large') ?? Buffer.alloc(0))).toBe(sha256(bytes));
    expect(failures).toBe(2);
    await rm(folder, { recursive: true });
  });

  test('a failed upload of several parts leaves no parts, and the file stays where it was', async () => {
    const folder = await newFolder();
    const file = path.join(folder, 'upload');
    await writeFile(file, Buffer.alloc(12_000_000));
    server.fault = ({ url }) => (url.includes('partNumber=2') ? { status: 500 } : undefined);
    await expect(store.putFile('large', file)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    expect([content('large'), server.uploads.size]).toEqual([undefined, 0]);
    expect(await readdir(folder)).toEqual(['upload']);
    await rm(folder, { recursive: true });
  });

  test('an object that is deleted after it was found is undefined', async () => {
    await store.put('a', Buffer.from('content'));
    server.fault = ({ method }) => {
      if (method === 'GET') server.objects.clear();
      return undefined;
    };
    expect(await store.checkout('a')).toBeUndefined();
    expect(await store.get('a')).toBeUndefined();
  });

  test('lists and deletes prefixes of several pages', async () => {
    server.pageSize = 7;
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.put(`d/${index}`, Buffer.from('x'))));
    const keys: string[] = [];
    for await (const { key } of store.list('d/')) keys.push(key);
    expect(keys).toHaveLength(20);
    await store.deletePrefix('d/');
    expect(server.objects.size).toBe(0);
  });

  test('downloads an object once for concurrent readers, and again once its content has changed', async () => {
    await store.put('a', Buffer.from('first'));
    const checkouts = await Promise.all([1, 2, 3].map(() => store.checkout('a')));
    expect(new Set(checkouts.map((checkout) => checkout?.path)).size).toBe(1);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    await store.put('a', Buffer.from('second'));
    const changed = await store.checkout('a');
    expect(await readFile(changed?.path ?? '', 'utf8')).toBe('second');
    expect(await readFile(checkouts[0]?.path ?? '', 'utf8')).toBe('first');
  });
});

describe('at the start', () => {
  let server: S3TestServer;
  beforeEach(async () => {
    server = await startS3TestServer();
  });
  afterEach(() => server.close());

  test('a service that ignores If-None-Match is refused', async () => {
    server.ignoresConditions = true;
    await expect(openStore(server.endpoint)).rejects.toMatchObject({
      name: 'S3StoreUnusable',
      message: expect.stringContaining(
        'it ignores the header If-None-Match (a second upload answered 200 and not 412)',
      ),
    });
    expect(server.objects.size).toBe(0);
  });

  test('a service that ignores Range is refused', async () => {
    server.ignoresRanges = true;
    await expect(openStore(server.endpoint)).rejects.toMatchObject({
      name: 'S3StoreUnusable',
      message: expect.stringContaining('it ignores the header Range'),
    });
  });

  test('a service that cannot be reached or refuses the credentials is named with the reason', async () => {
    server.fault = () => ({ status: 403 });
    await expect(openStore(server.endpoint)).rejects.toThrow(
      `The bucket documents at ${server.endpoint} cannot be used: an object cannot be stored: InjectedFault`,
    );
    const limits = { attempts: 1 };
    await expect(openStore('http://127.0.0.1:9', { limits })).rejects.toMatchObject({ name: 'S3StoreUnusable' });
  });

  test('uploads that are older than a day are ended, younger ones are not', async () => {
    const now = Date.parse('2026-01-03T00:00:00Z');
    const upload = (key: string, startedAt: string) => ({ key, parts: new Map(), startedAt: new Date(startedAt) });
    server.uploads.set('old', upload('quire/a', '2026-01-01T23:59:59Z'));
    server.uploads.set('young', upload('quire/b', '2026-01-02T00:00:01Z'));
    const { store, remove } = await openStore(server.endpoint, { now: () => now });
    expect([...server.uploads.keys()]).toEqual(['young']);
    await store.close();
    await remove();
  });

  test('requests server-side encryption for every upload', async () => {
    const query = '&encryption=aws:kms&kmsKeyId=key-1';
    const { store, remove } = await openStore(server.endpoint, { query });
    await store.put('small', Buffer.from('x'));
    await store.put('large', Readable.from([Buffer.alloc(6_000_000)]));
    const uploads = server.requests.filter(
      ({ method, url }) =>
        (method === 'PUT' && !url.includes('partNumber')) || (method === 'POST' && url.includes('?uploads')),
    );
    expect(uploads).toHaveLength(4);
    for (const { headers } of uploads) {
      expect(headers['x-amz-server-side-encryption']).toBe('aws:kms');
      expect(headers['x-amz-server-side-encryption-aws-kms-key-id']).toBe('key-1');
    }
    await store.close();
    await remove();
  });
});
