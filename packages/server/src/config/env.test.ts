import { expect, test } from 'vitest';
import { toConfig } from './config.ts';
import { ConfigurationError, readEnvironment } from './env.ts';

test('without any variable the defaults of one machine apply', () => {
  const config = toConfig(readEnvironment({}));
  expect(config.http).toEqual({
    host: '127.0.0.1',
    port: 8080,
    basePath: '',
    trustProxy: false,
    tls: null,
    corsOrigins: [],
    mcp: true,
    rateLimitPerMinute: 0,
    // The two sizes depend on the machine: on its memory, and on the files that may be open.
    traffic: {
      maxRequests: 1024,
      memoryBytes: config.http.traffic.memoryBytes,
      maxConnections: config.http.traffic.maxConnections,
    },
  });
  const { memoryBytes, maxConnections } = config.http.traffic;
  expect([memoryBytes >= 64 * 1024 ** 2, memoryBytes <= 128 * 1024 ** 2, maxConnections <= 8192]).toEqual([
    true,
    true,
    true,
  ]);
  expect(config.role).toBe('all');
  expect(config.databaseUrl).toBeNull();
});

test('all problems are reported at once, by name', () => {
  expect(() => readEnvironment({ QUIRE_PORT: 'x', QUIRE_ROLE: 'boss', QUIRE_PROT: '1' })).toThrowError(
    /QUIRE_PORT: [\s\S]*QUIRE_ROLE: [\s\S]*QUIRE_PROT: there is no such setting/,
  );
});

test.each([
  ['x', 'QUIRE_PORT: must be a number'],
  ['80.5', 'QUIRE_PORT: must be a whole number'],
  ['65536', 'QUIRE_PORT: must be at most 65535'],
  ['-1', 'QUIRE_PORT: must be at least 0'],
])('the port %j is refused with the reason', (port, problem) => {
  expect(() => readEnvironment({ QUIRE_PORT: port })).toThrowError(new ConfigurationError(`Settings:\n  ${problem}`));
});

test('a choice is refused with the values to choose from, a short key with its minimum length', () => {
  expect(() => readEnvironment({ QUIRE_ROLE: 'boss', QUIRE_SECRET_KEY: 'short' })).toThrowError(
    new ConfigurationError(
      'Settings:\n  QUIRE_ROLE: must be all, api or worker\n  QUIRE_SECRET_KEY: must have at least 16 characters',
    ),
  );
});

test('the setting of the former search engine is refused with the reason', () => {
  expect(() => readEnvironment({ QUIRE_SEARCH_ENGINE: 'memory' })).toThrowError(
    'QUIRE_SEARCH_ENGINE: the index in memory is the only engine of one machine; remove this setting',
  );
});

test('api and worker roles need a database of their own', () => {
  expect(() => toConfig(readEnvironment({ QUIRE_ROLE: 'api' }))).toThrowError(
    /QUIRE_DATABASE_URL: needed with QUIRE_ROLE=api/,
  );
});

test('an external database needs a secret key', () => {
  const environment = readEnvironment({ QUIRE_DATABASE_URL: 'postgres://localhost/quire' });
  expect(() => toConfig(environment)).toThrowError(/QUIRE_SECRET_KEY: needed/);
});

test('a path that is not a directory is reported with its setting', () => {
  expect(() => toConfig(readEnvironment({ QUIRE_INDEX_URL: 's3://bucket/index' }))).toThrowError(
    "Settings:\n  QUIRE_INDEX_URL: only directories and file:// URLs are supported, not 's3:'",
  );
});

test.each([
  ['/quire', '/quire'],
  ['/quire/', '/quire'],
  ['/a/b-c.d', '/a/b-c.d'],
  ['/', ''],
])('the base path %j is %j', (value, basePath) => {
  expect(toConfig(readEnvironment({ QUIRE_BASE_PATH: value })).http.basePath).toBe(basePath);
});

test('a base path is absolute, without dots alone and other characters', () => {
  for (const wrong of ['quire', '//x', '/a//b', '/../x', '/a b', '/a?b', 'https://x/']) {
    expect(() => readEnvironment({ QUIRE_BASE_PATH: wrong }), wrong).toThrowError(/QUIRE_BASE_PATH/);
  }
});

test('trusted proxies are a number, or addresses and ranges', () => {
  const read = (value: string) => toConfig(readEnvironment({ QUIRE_TRUST_PROXY: value })).http.trustProxy;
  expect([read(''), read('2'), read('10.0.0.0/8, ::1')]).toEqual([false, 2, ['10.0.0.0/8', '::1']]);
  for (const wrong of ['0', 'true', 'proxy.internal', '10.0.0.0/40', '1,2']) {
    expect(() => read(wrong), wrong).toThrowError(/QUIRE_TRUST_PROXY/);
  }
});

test('a certificate needs its key', () => {
  expect(() => toConfig(readEnvironment({ QUIRE_TLS_CERT_FILE: 'a.pem' }))).toThrowError(
    /QUIRE_TLS_KEY_FILE: .*together/,
  );
});

test('empty variables count as unset', () => {
  expect(readEnvironment({ QUIRE_PORT: '', PATH: '/bin' }).QUIRE_PORT).toBe(8080);
});

test('the allow list takes host names, addresses and ranges, and nothing else', () => {
  const list = 'models.internal, 10.0.0.0/8, 127.0.0.1, fd00::/8, ::1';
  const read = (value: string) => readEnvironment({ QUIRE_ALLOW_PRIVATE_NETWORK: value }).QUIRE_ALLOW_PRIVATE_NETWORK;
  expect(read(list)).toEqual(['models.internal', '10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1']);
  for (const wrong of [
    '10.0.0.0/33',
    '10.0.0.0/',
    'a/8',
    'http://x',
    '10.0.0.0/8/8',
    'x:0',
    'x:70000',

    'a b:80',
    '*',
  ]) {
    expect(() => read(wrong), wrong).toThrowError(/QUIRE_ALLOW_PRIVATE_NETWORK/);
  }
});

test('the variables of the clients are no settings and no error', () => {
  const clients = { QUIRE_URL: 'http://127.0.0.1:1', QUIRE_KEY: 'k', QUIRE_CONFIG: '/x', QUIRE_WORKSPACE: 'w' };
  expect(readEnvironment(clients)).toEqual(readEnvironment({}));
});

test('reads the address of a bucket, and reports a wrong one with its setting', () => {
  const environment = {
    QUIRE_STORAGE_URL: 's3://docs/quire?endpoint=http://127.0.0.1:9000',
    QUIRE_STORAGE_CACHE_BYTES: '5',
  };
  expect(toConfig(readEnvironment(environment)).storage).toMatchObject({
    kind: 's3',
    location: { bucket: 'docs', prefix: 'quire/', endpoint: 'http://127.0.0.1:9000' },
    cacheBytes: 5,
  });
  expect(() => toConfig(readEnvironment({ QUIRE_STORAGE_URL: 's3://key:secret@docs' }))).toThrowError(
    'Settings:\n  QUIRE_STORAGE_URL: credentials do not belong into the address; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  );
});

test('reads the address of a search cluster, and never shows its password in an error', () => {
  const read = (url: string) => toConfig(readEnvironment({ QUIRE_INDEX_URL: url })).indexCluster;
  expect(read('opensearch+https://quire:pass%40word@h1,h2:9201/prod?shards=3&replicas=2')).toEqual({
    nodes: ['https://h1:9200', 'https://h2:9201'],
    auth: { username: 'quire', password: 'pass@word' },
    prefix: 'prod',
    shards: 3,
    replicas: 2,
    pool: false,
    poolRows: 1_000_000,
  });
  expect(read('opensearch+http://localhost')).toMatchObject({ auth: null, prefix: 'quire', shards: 1, replicas: 1 });
  for (const wrong of ['h1/PROD', 'h1?shards=0', 'h1?shrads=1', 'h 1', 'h1?pool=maybe']) {
    const address = `opensearch+https://quire:secret-word@${wrong}`;
    expect(() => read(address)).toThrowError(/^Settings:\n {2}QUIRE_INDEX_URL: (?!.*secret-word)/);
  }
});
