/**
 * `npm run client-runtimes`: installs the packed client in an empty folder and uses it there with Node 20, 22 and 24,
 * Bun and Deno against a running service. Fetches the runtimes from the registry.
 */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { Quire } from '@quire/client';
import { removeDirectory, startService } from '../../packages/server/test/service-process.ts';
import { install, runtimes, type Runtime } from './runtimes.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const packages = path.join(here, '../../packages');
const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';

const EXPECTED = {
  upload: ['hours.md', 'ready', HOURS.length],
  uploadMany: ['b.txt uploaded', 'hours.md duplicate'],
  search: 'hours.md',
  ask: ['On Thursdays it closes at eight.', true],
  events: 'collection',
  aborted: 'enough',
  process: { total: 1450 },
  error: [true, 'NotFoundError', 'not_found'],
  token: 'read',
  webhook: true,
};

/** Packs the client and what it needs, and installs the tarballs in an empty folder. */
function installClient(folder: string): void {
  for (const name of ['diffcp', 'client'])
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: path.join(packages, name) });
  const app = path.join(folder, 'app');
  install(
    app,
    ['diffcp', 'client'].map((name) => path.join(folder, `quire-${name}-0.1.0.tgz`)),
  );
  copyFileSync(path.join(here, 'program.mjs'), path.join(app, 'program.mjs'));
  writeFileSync(path.join(app, 'hours.md'), HOURS);
}

/** Runs the program in a collection of its own and returns what it printed. */
async function use(
  { program, args }: Runtime,
  folder: string,
  quire: Quire,
  env: Record<string, string>,
): Promise<unknown> {
  const { id } = await quire.collections.create({ name: 'Runtime' });
  const app = path.join(folder, 'app');
  const { stdout } = await promisify(execFile)(program, [...args, 'program.mjs', id, 'hours.md'], {
    cwd: app,
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

const folder = mkdtempSync(path.join(tmpdir(), 'quire-runtimes-'));
const service = await startService();
try {
  installClient(folder);
  const root = new Quire({ url: service.address, key: service.rootKey });
  const workspace = root.workspace((await root.workspaces.create({ name: 'Runtimes' })).id);
  const { key, id } = await workspace.keys.create({ name: 'runtimes', permission: 'admin' });
  const env = { QUIRE_URL: service.address, QUIRE_KEY: key, KEY_ID: id };
  for (const runtime of runtimes(path.join(folder, 'runtimes'))) {
    const seen = await use(runtime, folder, new Quire({ url: service.address, key }), env);
    const isRight = isDeepStrictEqual(seen, EXPECTED);
    console.log(`${runtime.name}: ${isRight ? 'ok' : `wrong: ${JSON.stringify(seen)}`}`);
    if (!isRight) process.exitCode = 1;
  }
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
  rmSync(folder, { recursive: true });
}
