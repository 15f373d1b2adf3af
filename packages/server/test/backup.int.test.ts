// large: runs the commands on a whole service
/** A backup made under load restores to the documents of one moment, and a damaged one is refused. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnWithParent } from '../../../scripts/child-process/spawn-with-parent.mjs';
import {
  familyOf,
  isRunning,
  removeDirectory,
  startService,
  whenSettled,
  type ServiceProcess,
} from './service-process.ts';

const main = new URL('../dist/main.js', import.meta.url).href;
const passphrase = 'correct horse battery staple';
let folder: string;
let service: ServiceProcess;
let collection: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'quire-backup-'));
  service = await startService({ dataDir: path.join(folder, 'data'), env: { QUIRE_LOG_LEVEL: 'fatal' } });
  const workspace = await service.request<{ id: string }>('POST', '/workspaces', { name: 'backup' });
  const { id } = await service.request<{ id: string }>('POST', `/w/${workspace.id}/col`, { name: 'backup' });
  collection = `/w/${workspace.id}/col/${id}`;
});
afterAll(async () => {
  await service.stop();
  removeDirectory(folder);
});

interface Ended {
  code: number | null;
  report: string;
}

function run(command: string, args: string[], env: Record<string, string> = {}) {
  const script = `import(${JSON.stringify(main)})
    .then(({ main }) => main(${JSON.stringify(command)}, ${JSON.stringify(args)}))
    .catch((error) => { console.error(error.message); process.exitCode = 1; });`;
  const child = spawnWithParent(process.execPath, ['-e', script], {
    env: { ...process.env, QUIRE_DATA_DIR: path.join(folder, 'data'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const ended = text(child.stderr).then(async (report): Promise<Ended> => ({ code: (await exited)[0], report }));
  return { child, ended };
}

const file = (name: string): string => path.join(folder, name);
const words = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord'];
const wordsOf = (index: number): string => `${words[index % 6]} letter ${index} zq${'abcdefghij'[index % 10]}${index}`;

function upload(index: number): Promise<{ id: string }> {
  const body = { name: `${index}.md`, contentType: 'text/markdown', content: `# Note\n\n${wordsOf(index)}` };
  return service.request('POST', `${collection}/docs/raw`, body);
}

test('a backup under load restores every document that was ready when it began', async () => {
  const before: string[] = [];
  for (let index = 0; index < 12; index++) before.push((await upload(index)).id);
  for (const id of before) await whenSettled(service, `${collection}/docs/${id}`);
  const stop = new AbortController();
  const loading = (async () => {
    for (let index = 12; !stop.signal.aborted; index++) await Promise.all([upload(index), delay(50)]);
  })();
  const startedAt = Date.now();
  const made = await run('backup', [file('a.backup')]).ended;
  stop.abort();
  await loading;
  expect(made).toMatchObject({ code: 0 });
  expect(statSync(file('a.backup')).mode & 0o777).toBe(0o600);
  const metrics = await fetch(`${service.address}/metrics`, {
    headers: { authorization: `Bearer ${service.rootKey}` },
  });
  const [, writtenAt] = /^quire_last_backup_timestamp_seconds (\S+)$/m.exec(await metrics.text()) ?? [];
  expect(Number(writtenAt) * 1000).toBeGreaterThan(startedAt - 1);

  const restored = path.join(folder, 'restored');
  expect(await run('restore', [file('a.backup')], { QUIRE_DATA_DIR: restored }).ended).toMatchObject({ code: 0 });
  const copy = await startService({ dataDir: restored, rootKey: service.rootKey, env: { QUIRE_LOG_LEVEL: 'fatal' } });
  try {
    for (const [index, id] of before.entries()) {
      const found = await whenSettled<{ status: string }>(copy, `${collection}/docs/${id}`);
      expect(found.status).toBe('ready');
      const original = await fetch(`${copy.address}/v1${collection}/docs/${id}/original`, {
        headers: { authorization: `Bearer ${copy.rootKey}` },
      });
      expect(await original.text()).toBe(`# Note\n\n${wordsOf(index)}`);
    }
    const search = { query: wordsOf(7), mode: 'sparse', limit: 5 };
    const find = () => copy.request<{ hits: { documentId: string }[] }>('POST', `${collection}/search`, search);
    await expect.poll(async () => (await find()).hits[0]?.documentId).toBe(before[7]);
    const later = await copy.request<{ id: string }>('POST', `${collection}/docs/raw`, {
      name: 'later.md',
      contentType: 'text/markdown',
      content: 'written after the restore',
    });
    expect(await whenSettled(copy, `${collection}/docs/${later.id}`)).toMatchObject({ status: 'ready' });
  } finally {
    await copy.stop();
  }
});

test('a file that cannot be written or read is named with the reason', async () => {
  const missing = path.join(file('none'), 'a.backup');
  expect(await run('backup', [missing]).ended).toMatchObject({
    code: 1,
    report: `Cannot write ${missing}.partial: no such file or folder\n`,
  });
  expect(await run('verify', [missing]).ended).toMatchObject({
    code: 1,
    report: `Cannot read ${missing}: no such file or folder\n`,
  });
});

test('a backup stops before it takes the space that the service needs, and leaves no file', async () => {
  const full = { QUIRE_MIN_FREE_BYTES: String(10 ** 15) };
  expect(await run('backup', [file('full.backup')], full).ended).toMatchObject({
    code: 1,
    report: expect.stringMatching(/^\d+ MB free, at least 1000000000 MB needed\n$/),
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('full.backup'))).toEqual([]);
});

test('verify restores beside the running service and searches there', async () => {
  const { code, report } = await run('verify', [file('a.backup')]).ended;
  expect(report).toMatch(/counts and checksums match\.\n\d+ searches found their documents\. The backup is good\.\n$/);
  expect(code).toBe(0);
});

/** Returns whether the process listens on a TCP port. */
function isListening(pid: number): boolean {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => socketOf(`/proc/${pid}/fd/${fd}`)));
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n');
  return lines.some((line) => {
    const [, , , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTEN && sockets.has(`socket:[${inode}]`);
  });
}

const LISTEN = '0A';

function socketOf(descriptor: string): string | null {
  try {
    return readlinkSync(descriptor);
  } catch {
    // It was closed in the meantime.
    return null;
  }
}

test.skipIf(process.platform !== 'linux')('the service of verify ends when verify is killed', async () => {
  const { child, ended } = run('verify', [file('a.backup')]);
  const isService = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes("main('serve')");
  await expect.poll(() => familyOf(child.pid ?? 0).find(isService)).toBeDefined();
  const pid = familyOf(child.pid ?? 0).find(isService) ?? 0;
  // So that it is killed while it uses the service, and not when it has ended.
  child.kill('SIGSTOP');
  await expect.poll(() => isListening(pid)).toBe(true);
  const family = familyOf(pid);
  child.kill('SIGKILL');
  await ended;
  await expect.poll(() => family.filter(isRunning)).toEqual([]);
});

test('a damaged and a cut backup are refused, and nothing of them stays', async () => {
  const bytes = readFileSync(file('a.backup'));
  const damaged = Buffer.from(bytes);
  const at = damaged.indexOf('amber letter');
  damaged.write('AMBER', at);
  writeFileSync(file('damaged.backup'), damaged);
  const target = { QUIRE_DATA_DIR: path.join(folder, 'target') };
  const refused = await run('restore', [file('damaged.backup')], target).ended;
  expect(refused).toEqual({ code: 1, report: 'The backup is damaged: its checksum does not match\n' });
  const rows = bytes.indexOf('amber letter');
  for (const length of [rows, bytes.length / 2, bytes.length - 1_100]) {
    writeFileSync(file('cut.backup'), bytes.subarray(0, length));
    const cut = await run('restore', [file('cut.backup')], target).ended;
    expect(cut).toEqual({ code: 1, report: expect.stringContaining('The backup is ') });
  }
  // An interrupted restore may be repeated, and the service does not start before.
  const serve = await run('serve', [], { ...target, QUIRE_PORT: '0', QUIRE_LOG_LEVEL: 'fatal' }).ended;
  expect(serve).toMatchObject({ code: 1 });
  expect(serve.report).toContain('was interrupted');
  expect(await run('restore', [file('a.backup')], target).ended).toMatchObject({ code: 0 });
});

test('a backup into a used database is refused', async () => {
  const restored = path.join(folder, 'restored');
  const again = await run('restore', [file('a.backup')], { QUIRE_DATA_DIR: restored }).ended;
  expect(again).toEqual({ code: 1, report: 'The database is not empty: restore into an empty one\n' });
});

test('an encrypted backup is restored with its passphrase only', async () => {
  const encrypted = { QUIRE_BACKUP_PASSPHRASE: passphrase };
  expect(await run('backup', [file('b.backup')], encrypted).ended).toMatchObject({ code: 0 });
  expect(readFileSync(file('b.backup')).includes('amber letter')).toBe(false);
  const target = { QUIRE_DATA_DIR: path.join(folder, 'decrypted') };
  const without = await run('restore', [file('b.backup')], target).ended;
  expect(without).toEqual({ code: 1, report: 'The backup is encrypted: set QUIRE_BACKUP_PASSPHRASE\n' });
  const wrong = run('restore', [file('b.backup')], { ...target, QUIRE_BACKUP_PASSPHRASE: 'another passphrase' });
  expect(await wrong.ended).toEqual({
    code: 1,
    report: 'The backup cannot be decrypted: the passphrase is wrong\n',
  });
  expect(await run('restore', [file('b.backup')], { ...target, ...encrypted }).ended).toMatchObject({ code: 0 });
});

test('a killed backup leaves no file of its name, and a killed restore is begun again', async () => {
  const killed = run('backup', [file('c.backup')]);
  while (!existsSync(file('c.backup.partial'))) await delay(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(() => statSync(file('c.backup'))).toThrow('ENOENT');
  const target = { QUIRE_DATA_DIR: path.join(folder, 'killed') };
  const restore = run('restore', [file('a.backup')], target);
  await delay(2_500);
  restore.child.kill('SIGKILL');
  await restore.ended;
  const again = await run('restore', [file('a.backup')], target).ended;
  // If the kill came too late, the first restore is complete.
  expect(again.code === 0 || again.report === 'The database is not empty: restore into an empty one\n').toBe(true);
});
