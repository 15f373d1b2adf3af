// root: runs a pool as another account
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledFile } from '@quire/shared/compiled-file';

/** The user `nobody` on Linux; the tests switch to it when they run as root, which may raise its own priority. */
const NOBODY = '65534';

let directory: string;
let script: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-priority-test-'));
  chmodSync(directory, 0o777);
  const entry = path.join(directory, 'child.mjs');
  const urlOf = (name: string): string => JSON.stringify(pathToFileURL(compiledFile(import.meta.url, name)).href);
  writeFileSync(
    entry,
    `import os from 'node:os';
     import { serveTasks } from ${urlOf('serve.js')};
     serveTasks({ priority: async () => os.getPriority() });`,
  );
  script = path.join(directory, 'parent.mjs');
  writeFileSync(
    script,
    `import { SandboxPool } from ${urlOf('pool.js')};
     const pool = await SandboxPool.open({ size: 1, entry: ${JSON.stringify(entry)} });
     console.log(await pool.run('priority', null, { timeoutMs: 600000 }));
     await pool.close();`,
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The start of a command line that runs a program as an ordinary user; undefined where that is not possible. */
function ordinaryUser(): string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const prefix = ['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups'];
  // The clone may be in a folder that others cannot enter.
  const code = compiledFile(import.meta.url, 'pool.js');
  const canReadCode = spawnSync('setpriv', [...prefix, process.execPath, '--check', code]).status === 0;
  return canReadCode ? ['setpriv', ...prefix] : undefined;
}

it.each([0, 10, 17])('a pool runs its children 5 levels below %d, as an ordinary user', async (level) => {
  // The tests themselves may run under `nice`, whose levels add up to 19 at most.
  const expected = Math.min(19, getPriority() + level + 5);
  const prefix = ordinaryUser();
  if (prefix === undefined) {
    console.warn('skipped: this account cannot run a pool as an ordinary user');
    return;
  }
  const [program = '', ...args] = [...prefix, 'nice', '-n', String(level), process.execPath, script];
  const place = mkdtempSync(path.join(directory, 'tmp-'));
  chmodSync(place, 0o777);
  const { stdout } = await promisify(execFile)(program, args, { env: { ...process.env, TMPDIR: place }, cwd: '/' });
  expect(stdout.trim()).toBe(String(expected));
  expect(readdirSync(place)).toEqual([]);
});
