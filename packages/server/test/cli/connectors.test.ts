/** `quire connectors` over a source in memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SourceUnavailable } from '@quire/connectors/connector-error';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindsWith, ScriptedSource } from '../connectors/scripted-source.ts';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { runCommand, type Ran, type RunOptions } from './run-command.ts';

const source = new ScriptedSource();

let service: TestService;
let folder: string;
let env: Record<string, string>;
let id: string;

beforeAll(async () => {
  const kinds = kindsWith(new Map([['harbour', source]]));
  const connectors = { kinds, scheduleMs: 50, retryDelayMs: () => 1, sourceDelayMs: () => 1 };
  service = await startTestService({}, undefined, connectors);
  const { admin } = await createWorkspace(service);
  folder = await mkdtemp(path.join(tmpdir(), 'quire-connectors-'));
  env = { QUIRE_CONFIG: path.join(folder, 'none.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
  await quire(['collections', 'create', 'Harbour']);
  for (const name of ['a', 'b', 'c', 'd']) source.put(`${name}.txt`, `Berth ${name} is free.`);
  const create = ['connectors', 'create', 'Files', '-c', 'Harbour', '--kind', 'ftp', '--config', '{"host":"harbour"}'];
  id = String((await quire(create, { piped: true })).json()[0]?.['id']);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const quire = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  runCommand(args, { ...options, env });

test('a source is tested, compared without changes, and synchronised', async () => {
  expect(await quire(['connectors', 'test', id])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok in [\d.]+ ms: .+\n {2}a\.txt\n {2}b\.txt\n/),
  });
  const dry = await quire(['connectors', 'sync', id, '--dry-run']);
  expect([dry.code, dry.out]).toEqual([
    0,
    'done: 4 listed, 4 added, 0 updated, 0 unchanged, 0 skipped, 0 deleted, 0 failed\n' +
      'add  a.txt\nadd  b.txt\nadd  c.txt\nadd  d.txt\n',
  ]);
  expect((await quire(['ls', '-c', 'Harbour'])).err).toBe('No document matches.\n');
  const [sync] = (await quire(['connectors', 'sync', id], { piped: true })).json();
  expect(sync).toMatchObject({ status: 'done', counts: { added: 4 } });
  expect((await quire(['connectors', 'items', id, '--status', 'synced'], { piped: true })).json()).toHaveLength(4);
});

test('deletions that are held back exit with 3, and are carried out once approved', async () => {
  source.files.clear();
  const held = await quire(['connectors', 'sync', id], { piped: true });
  const [sync] = held.json();
  const command = `connectors approve ${id} ${String(sync?.['id'])}`;
  expect([held.code, sync?.['status'], held.err]).toEqual([
    3,
    'held',
    `Deletions wait for approval: quire ${command}\n`,
  ]);
  expect((await quire(['ls', '-c', 'Harbour'], { piped: true })).json()).toHaveLength(4);
  expect(await quire(command.split(' '))).toMatchObject({ code: 0 });
  await expect
    .poll(async () => (await quire(['ls', '-c', 'Harbour'])).err, { timeout: 60_000 })
    .toBe('No document matches.\n');
  const again = await quire(command.split(' '));
  expect([again.code, again.err]).toMatchObject([5, expect.stringMatching(/^quire: .+\n {2}Request \S+\n$/)]);
});

test('a source that does not answer is named while the command waits', async () => {
  source.beforePage = () => {
    throw new SourceUnavailable('harbour cannot be reached (ECONNREFUSED)', 600_000);
  };
  let named: () => void = () => undefined;
  const note = new Promise<void>((seen) => (named = seen));
  const running = quire(['connectors', 'sync', id], { piped: true, onNote: () => named() });
  await note;
  const connectors = (await quire(['connectors'], { piped: true })).json() as { lastSync: { id: string } }[];
  expect(await quire(['connectors', 'cancel', id, String(connectors[0]?.lastSync.id)])).toMatchObject({ code: 0 });
  const { code, err } = await running;
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^harbour cannot be reached \(ECONNREFUSED\)\. The next try is at 20\S+Z\.\n$/),
  ]);
});

test('Ctrl-C leaves a synchronisation running and says how to end it', async () => {
  let list: () => void = () => undefined;
  const listing = new Promise<void>((started) => {
    source.beforePage = () =>
      new Promise((resolve) => {
        list = resolve;
        started();
      });
  });
  const controller = new AbortController();
  const running = quire(['connectors', 'sync', id], { signal: controller.signal });
  await listing;
  controller.abort(new Error('interrupted'));
  const { code, err } = await running;
  const [, command = ''] = /end it with `quire (connectors cancel \S+ \S+)`\.\n$/.exec(err) ?? [];
  expect([code, err.split('\n')[0]]).toEqual([130, 'Interrupted. The synchronisation goes on.']);
  expect((await quire(['connectors'])).out).toMatch(/ syncing /);
  expect(await quire(command.split(' '))).toMatchObject({ code: 0 });
  list();
  expect(await quire(['connectors', 'rm', id, '--documents'])).toMatchObject({ code: 0, out: 'Deleted Files.\n' });
});
