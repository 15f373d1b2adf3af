/**
 * Gives a test run one folder: the temporary directory of all its processes and the data of its PostgreSQL, which the
 * first test that needs one starts (`postgres.ts`). A process of its own removes both at the end of the run, also if
 * the run was killed. With QUIRE_TEST_DATABASE_URL that server is used instead.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const CLEANER = fileURLToPath(new URL('processes/remove-run.mjs', import.meta.url));

export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Every project calls the setup; the first call serves them all.
  if (process.env['QUIRE_TEST_RUN'] === String(process.pid)) return undefined;
  process.env['QUIRE_TEST_RUN'] = String(process.pid);
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-tests-'));
  // mkdtemp creates it with mode 700, and under root PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const temporary = path.join(folder, 'tmp');
  await mkdir(temporary);
  await chmod(temporary, 0o1777);
  process.env['TMPDIR'] = temporary;
  process.env['QUIRE_TEST_POSTGRES_FOLDER'] = folder;
  // Vitest leaves its folders of transformed modules behind if it is killed.
  const transformed = new Set([vitest.getRootProject(), ...vitest.projects].map(({ tmpDir }) => tmpDir));
  // The pipe closes when this process ends, however it ends.
  const stdio = ['pipe', 'ignore', 'inherit'] as const;
  const cleaner = spawn(process.execPath, [CLEANER, folder, ...transformed], { stdio: [...stdio], detached: true });
  return async () => {
    cleaner.stdin.end();
    await once(cleaner, 'exit');
  };
}
