/** Several processes on one data directory: one service, any number of commands beside it. */
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnWithParent } from '../../../scripts/child-process/spawn-with-parent.mjs';
import { runCommand, type Ran } from './run-command.ts';
import { removeDirectory, startService, type ServiceProcess } from './service-process.ts';

const main = new URL('../dist/main.js', import.meta.url).href;
let dataDir: string;
let service: ServiceProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'quire-second-'));
  service = await startService({ dataDir, env: { QUIRE_LOG_LEVEL: 'fatal' } });
});
afterAll(async () => {
  await service.stop();
  removeDirectory(dataDir);
});

/** Runs a command of the service on the data directory. */
const run = (command: string, ...args: string[]): Promise<Ran> => runOn(dataDir, command, ...args);

const runOn = (folder: string, ...command: string[]): Promise<Ran> => runCommand(command, { QUIRE_DATA_DIR: folder });

test('a second service fails with the process that uses the data directory, and the first one continues', async () => {
  const { code, error } = await run('serve');
  expect(error).toBe(
    `Another Quire service (process ${service.pid}) uses the data directory ${dataDir}. ` +
      'Stop it first, or set QUIRE_DATA_DIR to another folder.\n',
  );
  expect(code).toBe(1);
  expect((await service.readiness()).dependencies['database']).toMatchObject({ ok: true });
});

test('a data directory that cannot be created is refused by its own setting', async () => {
  const file = path.join(dataDir, 'secret.key');
  expect(await runOn(path.join(file, 'data'), 'serve')).toEqual({
    code: 1,
    out: '',
    error: `Settings:\n  QUIRE_DATA_DIR: ${path.join(file, 'data')} cannot be created (ENOTDIR)\n`,
  });
});

test('a limit of open files that is too low is refused before the modules of the service load', async () => {
  const script = `import(${JSON.stringify(new URL('../dist/main.js', import.meta.url).href)})
    .then(({ main }) => main('serve')).catch((error) => console.log(error.message))`;
  const shell = `ulimit -n 256; exec "$0" -e "$1"`;
  const env = { ...process.env, QUIRE_DATA_DIR: path.join(dataDir, 'unused') };
  const args = ['-c', shell, process.execPath, script];
  const child = spawnWithParent('sh', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  expect(await text(child.stdout)).toBe(
    "The limit of open files is 256, and 1024 are needed: raise it ('ulimit -n 1024', LimitNOFILE of systemd)\n",
  );
});

test('keys are created, listed and revoked beside the service', async () => {
  const workspace = await service.request<{ id: string }>('POST', '/workspaces', { name: 'keys' });
  const created = await run('keys', 'create', workspace.id, 'from the command', 'write');
  const [, keyId = '', key = ''] = /^New key (\S+) \(shown once\): (\S+)\n$/.exec(created.out) ?? [];
  const url = `${service.address}/v1/w/${workspace.id}/col`;
  const status = async (): Promise<number> =>
    (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  expect((await run('keys', 'list')).out).toContain(`${keyId}  ${workspace.id}  write  ••••${key.slice(-4)}`);
  expect((await run('keys', 'revoke', keyId)).out).toContain(`Revoked the key ${keyId}`);
  await expect.poll(status).toBe(401);
  expect(await run('keys', 'revoke', keyId)).toEqual({
    code: 1,
    out: '',
    error: `There is no key ${keyId}, or it is the root key\n`,
  });
});

test('the chats of a key are handed over to another one', async () => {
  const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'chats' });
  const { id: collectionId } = await service.request<{ id: string }>('POST', `/w/${ws}/col`, { name: 'chats' });
  const create = async (): Promise<{ id: string; key: string }> =>
    service.request('POST', `/w/${ws}/keys`, { name: 'a person', permission: 'write' });
  const [former, next] = [await create(), await create()];
  const url = `${service.address}/v1/w/${ws}/chat`;
  const headers = { authorization: `Bearer ${former.key}` };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ collection_id: collectionId }) });
  await run('keys', 'revoke', former.id);
  expect(await run('keys', 'chats', former.id, next.id)).toEqual({
    code: 0,
    out: `The key ${next.id} (a person) has 1 more chats.\n`,
    error: '',
  });
  const listed = await fetch(url, { headers: { authorization: `Bearer ${next.key}` } });
  expect(await listed.json()).toMatchObject({ data: { total: 1 } });
  expect((await run('keys', 'chats', 'unknown', next.id)).out).toContain('has 0 more chats');
  expect((await run('keys', 'chats', next.id, former.id)).error).toBe(
    `There is no key ${former.id}, or it is the root key\n`,
  );
});

test('the keys command loads none of the modules of the service', async () => {
  const script = `import(${JSON.stringify(main)}).then(({ main }) => main('keys', ['list'])).then(() => {
    const packages = Object.keys(require.cache).map((file) => file.split('node_modules/').at(-1).split('/')[0]);
    console.error(['pg', 'fastify', 'onnxruntime-node', 'sharp'].filter((name) => packages.includes(name)).join());
  })`;
  const env = { ...process.env, QUIRE_DATA_DIR: dataDir };
  const child = spawnWithParent(process.execPath, ['-e', script], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  expect(await text(child.stderr)).toBe('pg\n');
});

test('no other account may enter the data directory or read what is in it', () => {
  const others = (entry: string): number => statSync(entry).mode & 0o007;
  expect(others(dataDir)).toBe(0);
  const readable = readdirSync(dataDir).filter((name) => (statSync(path.join(dataDir, name)).mode & 0o077) !== 0);
  expect(readable).toEqual([]);
});
