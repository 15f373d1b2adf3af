/** Children of tests, benches and scripts end with the process that started them, also if it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { isRunning } from '../../packages/server/test/service-process.ts';
import { spawnWithParent } from './spawn-with-parent.mjs';

const PARENT = fileURLToPath(new URL('testing/parent.mjs', import.meta.url));
const started: number[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** Starts a process that starts a shell, which starts a child. */
async function startFamily(start: 'spawnWithParent' | 'runGroup') {
  const parent = spawn(process.execPath, [PARENT, start], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const piece of parent.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(piece);
    // Both orders occur: one line is of the parent, the other of the shell.
    if (printed.includes('started\n') && /\d+ \d+\n/.test(printed)) break;
  }
  const [, shell = 0, child = 0] = (/(\d+) (\d+)/.exec(printed) ?? []).map(Number);
  started.push(parent.pid ?? 0, shell, child);
  expect([shell, child].map(isRunning)).toEqual([true, true]);
  return { parent, shell, child };
}

test.each(['spawnWithParent', 'runGroup'] as const)(
  '%s: a killed parent leaves no process of the group',
  async (start) => {
    const { parent, shell, child } = await startFamily(start);
    parent.kill('SIGKILL');
    await expect.poll(() => [shell, child].filter(isRunning)).toEqual([]);
  },
);

test('a group ends when its command is killed', async () => {
  const { parent, shell, child } = await startFamily('runGroup');
  const ended = once(parent, 'exit');
  process.kill(shell, 'SIGKILL');
  expect(await ended).toEqual([1, null]);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('a signal to the parent reaches the whole group', async () => {
  const { parent, shell, child } = await startFamily('runGroup');
  parent.kill('SIGINT');
  await once(parent, 'exit');
  await expect.poll(() => [shell, child].filter(isRunning)).toEqual([]);
});

test('a program that cannot be started is reported as by spawn', async () => {
  const [error] = (await once(spawnWithParent('/no/such/program', []), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ENOENT');
});

test('a child that its parent was stopping gets no second signal', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-signals-'));
  const file = path.join(folder, 'signals');
  const parent = spawn(process.execPath, [PARENT, 'stopping', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line]: unknown[] = await once(parent.stdout, 'data');
  const child = Number(line);
  started.push(parent.pid ?? 0, child);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(child)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('1');
});
