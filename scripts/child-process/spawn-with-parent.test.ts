/** Children of tests, benches and scripts end with the process that started them, also if it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  const [line]: unknown[] = await once(parent.stdout, 'data');
  const [shell = 0, child = 0] = String(line).trim().split(' ').map(Number);
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
