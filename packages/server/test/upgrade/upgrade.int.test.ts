// large: starts a whole service for each release
/**
 * The present code starts on the data of every release. Landed migrations are never edited, so the first ones make the
 * database of the release; its backup is restored into it, and the start of the service migrates further.
 */
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import pino from 'pino';
import { expect, test } from 'vitest';
import { readArchive, collect } from '../../src/backup/archive.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { createPool } from '../../src/database/connect.ts';
import { migrateDatabase, migrationsFolder } from '../../src/database/migrate.ts';
import { FilesystemStore } from '../../src/storage/filesystem-store.ts';
import { createTestDatabase } from '../postgres.ts';
import { startTestService, type TestService } from '../server.ts';
import { UPGRADE_KEYS, type UpgradeExpectation } from './expectation.ts';

const folder = process.env['QUIRE_TEST_UPGRADE_FOLDER'] ?? fileURLToPath(new URL('.', import.meta.url));
const releases = readdirSync(folder).flatMap((name) => /^(v.*)\.backup$/.exec(name)?.[1] ?? []);
const logger = pino({ level: 'silent' });

/** Returns the names of the migrations that the release's database has. */
async function migrationsOf(backup: string): Promise<string[]> {
  let names: string[] = [];
  await readArchive(createReadStream(backup), async (name, _size, content) => {
    const bytes = await collect(content);
    if (name === 'manifest.json') names = (JSON.parse(bytes.toString('utf8')) as { migrations: string[] }).migrations;
  });
  return names;
}

/** Restores the backup into an empty database with the schema of the release. */
async function restoreRelease(backup: string, connectionString: string, data: string): Promise<void> {
  const migrations = path.join(data, 'migrations');
  await mkdir(migrations, { recursive: true });
  for (const name of await migrationsOf(backup))
    await copyFile(path.join(migrationsFolder, name), path.join(migrations, name));
  const pool = createPool({ connection: connectionString, poolSize: 2, applicationName: 'upgrade', logger });
  await migrateDatabase(pool, logger, migrations);
  await pool.end();
  const store = await FilesystemStore.open(path.join(data, 'storage'));
  const client = new Client({ connectionString });
  await client.connect();
  await restoreBackup(createReadStream(backup), { client, dataDir: data, store });
  await client.end();
  await store.close();
  await rm(migrations, { recursive: true });
}

async function expectSame(service: TestService, { collection, history, searches, messages }: UpgradeExpectation) {
  const search = async (query: string): Promise<string | undefined> => {
    const options = { key: UPGRADE_KEYS.root, json: { query, limit: 1 } };
    const { data } = await service.call<{ hits: { documentName: string }[] }>(
      'POST',
      `/v1${collection}/search`,
      options,
    );
    return data.hits[0]?.documentName;
  };
  // The first start rebuilds the search index.
  await expect.poll(() => search(searches[0]!.query), { timeout: 60_000 }).toBe(searches[0]!.documentName);
  for (const { query, documentName } of searches) expect([query, await search(query)]).toEqual([query, documentName]);
  const { data } = await service.call<{ items: unknown[] }>('GET', `/v1${history}`, { key: UPGRADE_KEYS.root });
  expect(data.items).toMatchObject(messages);
}

test.skipIf(releases.length === 0).each(releases)('data of %s gives the same searches and chats', async (release) => {
  const backup = path.join(folder, `${release}.backup`);
  const expected = JSON.parse(readFileSync(path.join(folder, `${release}.json`), 'utf8')) as UpgradeExpectation;
  const data = await mkdtemp(path.join(tmpdir(), 'quire-upgrade-'));
  const database = await createTestDatabase();
  const empty = new Client({ connectionString: database.connectionString });
  await empty.connect();
  await empty.query('drop schema public cascade; drop schema graphile_worker cascade; create schema public');
  await empty.end();
  await restoreRelease(backup, database.connectionString, data);
  const service = await startTestService({
    QUIRE_DATABASE_URL: database.connectionString,
    QUIRE_DATA_DIR: data,
    QUIRE_ROOT_KEY: UPGRADE_KEYS.root,
    QUIRE_SECRET_KEY: UPGRADE_KEYS.secret,
  });
  try {
    await expectSame(service, expected);
  } finally {
    await service.stop();
    await database.drop();
    await rm(data, { recursive: true, force: true });
  }
});
