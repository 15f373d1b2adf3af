/**
 * Gives a vitest run a folder for its PostgreSQL, which the first test that needs one starts (`postgres.ts`), and stops
 * and removes it at the end. With QUIRE_TEST_DATABASE_URL that server is used instead.
 */
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { isAlive } from '../src/database/embedded/cluster.ts';

const prefix = 'quire-test-';
const logger = pino({ level: 'silent' });

async function remove(folder: string): Promise<void> {
  const dataDir = path.join(folder, 'postgres');
  const started = await stat(path.join(dataDir, 'postmaster.pid')).catch(() => undefined);
  if (started !== undefined) await (await startEmbeddedPostgres({ dataDir, logger })).stop();
  await rm(folder, { recursive: true, force: true });
}

/** Folders of runs that were killed, with their servers. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    await remove(path.join(tmpdir(), name)).catch(() => undefined);
  }
}

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['QUIRE_TEST_DATABASE_URL'] !== undefined) return async () => undefined;
  await removeLeftovers();
  const folder = await mkdtemp(path.join(tmpdir(), `${prefix}${process.pid}-`));
  // mkdtemp makes 700, and under root PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  process.env['QUIRE_TEST_POSTGRES_FOLDER'] = folder;
  return () => remove(folder);
}
