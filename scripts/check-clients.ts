/**
 * `npm run check-clients`: generates a TypeScript and a Python client from `docs/openapi.json`, compiles both, and with
 * each uploads, searches, chats and runs on a service of its own. The generators are fetched into a temporary folder,
 * because the TypeScript ones need an older compiler than this repository. A generator that cannot be fetched is
 * skipped with a message; `--require` makes that a failure.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeDirectory, startService } from '../packages/server/test/service-process.ts';
import { GeneratorMissing, type Check, type Place } from './check-clients/place.ts';
import { checkPython } from './check-clients/python.ts';
import { checkTypeScript } from './check-clients/typescript.ts';

const CHECKS: readonly [string, Check][] = [
  ['TypeScript', checkTypeScript],
  ['Python', checkPython],
];

/** Prints what was seen, or why the check is skipped. */
async function report(name: string, seen: Promise<string>): Promise<void> {
  try {
    console.log(`${name}: ${await seen}`);
  } catch (error) {
    if (!(error instanceof GeneratorMissing)) throw error;
    console.log(`${name}: skipped, ${error.message}`);
    if (process.argv.includes('--require')) process.exitCode = 1;
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'quire-clients-'));
const service = await startService();
try {
  const { id } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'Clients' });
  const wanted = { name: 'clients', permission: 'admin' };
  const { key } = await service.request<{ key: string }>('POST', `/w/${id}/keys`, wanted);
  const environment = { QUIRE_URL: service.address, QUIRE_KEY: key };
  const placeOf = (name: string): Place => {
    const own = path.join(folder, name);
    mkdirSync(own);
    return { folder: own, environment };
  };
  const ends = await Promise.allSettled(CHECKS.map(([name, check]) => report(name, check(placeOf(name)))));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
  rmSync(folder, { recursive: true, force: true });
}
