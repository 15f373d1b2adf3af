// large: starts and stops a whole service
/** A service of tests, benches and scripts ends, with its PostgreSQL, when the process that started it is killed. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { spawnProcess } from './processes/spawn.ts';
import { familyOf, isRunning, removeDirectory } from './service-process.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quire-abandoned-'));
let family: number[] = [];

afterEach(() => {
  for (const pid of family) endIfRunning(pid);
  removeDirectory(folder);
});

function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

test('a service ends with all its processes when its parent is killed', async () => {
  const owner = spawnProcess('service-owner', path.join(folder, 'data'));
  const pid = Number(await owner.nextLine());
  family = familyOf(pid);
  expect(family.length).toBeGreaterThan(1);
  await owner.kill();
  await expect.poll(() => family.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});
