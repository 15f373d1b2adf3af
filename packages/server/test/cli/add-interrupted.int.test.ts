// large: kills and starts a whole service while a command runs
/**
 * `quire add` of many mixed files while the service is killed and started and the command is interrupted and run again.
 * `npm run add-interrupted` runs it with 1,000 files.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Quire } from '@quire/client';
import { expect, test } from 'vitest';
import { spawnWithParent } from '../../../../scripts/child-process/spawn-with-parent.mjs';
import { removeDirectory, startService } from '../service-process.ts';

const COUNT = Number(process.env['QUIRE_TEST_FILES'] ?? 60);
const PROGRAM = fileURLToPath(new URL('../../../cli/bin/quire.mjs', import.meta.url));

/** Contents by the ending of the name. */
const KINDS: readonly [string, (at: number) => string][] = [
  ['txt', (at) => `Berth ${at} is free from noon.`],
  ['md', (at) => `# Berth ${at}\n\nBoats up to **${at} feet** may moor here.`],
  ['html', (at) => `<h1>Berth ${at}</h1><p>The fee is ${at} crowns.</p>`],
  ['csv', (at) => `berth,depth\n${at},${at % 9}\n`],
  ['json', (at) => `{ "berth": ${at}, "quay": "north" }`],
];

/** Writes the files in folders of 50 and returns the SHA-256 of each by its path. */
async function writeFiles(folder: string): Promise<Map<string, string>> {
  const written = new Map<string, string>();
  for (let at = 0; at < COUNT; at += 1) {
    const [ending, content] = KINDS[at % KINDS.length] ?? ['txt', String];
    const name = `quay-${Math.floor(at / 50)}/berth ${at}.${ending}`;
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content(at));
    written.set(name, createHash('sha256').update(content(at)).digest('hex'));
  }
  return written;
}

interface Running {
  child: ChildProcess;
  /** Resolves when the command has written so many records; rejects if it ends before. */
  wrote: (count: number) => Promise<void>;
  ended: Promise<{ code: number | null; note: string }>;
}

function start(args: readonly string[], env: Record<string, string>): Running {
  const child = spawnWithParent(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env } });
  const lines = createInterface({ input: child.stdout });
  let count = 0;
  const waiting = new Set<() => void>();
  lines.on('line', () => {
    count += 1;
    for (const check of waiting) check();
  });
  const note = text(child.stderr);
  const ended = once(child, 'exit').then(async ([code]) => ({ code: code as number | null, note: await note }));
  const wrote = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => (count >= wanted ? resolve() : undefined);
      waiting.add(check);
      check();
      void ended.then(({ note: why }) => reject(new Error(`ended after ${count} of ${wanted}: ${why}`)));
    });
  return { child, wrote, ended };
}

test(`each of ${COUNT} files is there once after kills of the service and interruptions of the command`, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-add-'));
  const files = await writeFiles(path.join(folder, 'port'));
  let service = await startService();
  const { dataDir, rootKey, address } = service;
  try {
    const root = new Quire({ url: address, key: rootKey, retries: 12 });
    const quire = root.workspace((await root.workspaces.create({ name: 'Port' })).id);
    const { key } = await quire.keys.create({ name: 'add', permission: 'admin' });
    const env = { QUIRE_URL: address, QUIRE_KEY: key, QUIRE_CONFIG: path.join(folder, 'none.json') };
    const args = ['add', path.join(folder, 'port'), '-c', 'Port'];

    const first = start(args, env);
    await first.wrote(Math.floor(COUNT * 0.15));
    await service.kill();
    service = await startService({ dataDir, rootKey, env: { QUIRE_PORT: new URL(address).port } });
    await first.wrote(Math.floor(COUNT * 0.3));
    first.child.kill('SIGINT');
    const interrupted = await first.ended;
    expect(interrupted.code).toBe(130);
    expect(interrupted.note).toMatch(/^Created the collection Port\.\nInterrupted: .+ Run the same command again/);

    const second = start(args, env);
    expect(await second.ended).toMatchObject({ code: 0 });
    const { note } = await second.ended;
    const [, added, unchanged] = /^(\d+) added, (\d+) unchanged, 0 failed in Port\.\n$/.exec(note) ?? [];
    expect([Number(added) + Number(unchanged), Number(unchanged) >= Math.floor(COUNT * 0.3)]).toEqual([COUNT, true]);

    const [collection] = await quire.collections.list().all();
    const documents = await quire
      .collection(collection?.id ?? '')
      .documents.list({ limit: 100 })
      .all();
    const stored = documents.map(({ metadata, sha256, status }) => [metadata['path'], sha256, status]);
    expect(stored.toSorted()).toEqual([...files].map(([name, sha256]) => [name, sha256, 'ready']).toSorted());
    if (COUNT > 60) console.log(`interrupted: ${interrupted.note.trim()}\nrun again: ${note.trim()}`);
  } finally {
    await service.stop();
    removeDirectory(dataDir);
    await rm(folder, { recursive: true });
  }
});
