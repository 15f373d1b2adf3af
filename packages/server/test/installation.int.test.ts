// large: starts and stops whole services
/** A process whose secret key or store of originals is not that of its database is refused with the reason. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { deriveSecrets } from '../src/config/secrets.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { rotateSecrets } from '../src/domain/configurations/secret-rotation.ts';
import { createLogger } from '../src/logger.ts';
import { SecretBox } from '../src/shared/secret-box.ts';
import { createCollection, createDocument, createWorkspace } from './factories.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { runCommand } from './run-command.ts';
import { startTestService, type TestService } from './server.ts';
import { startService } from './service-process.ts';

const KEY = 'the-secret-key-of-the-tests';
const OTHER_KEY = 'another-secret-key-of-the-tests';
const [KEY_ID, OTHER_KEY_ID] = [KEY, OTHER_KEY].map((key) => deriveSecrets(key).keyId) as [string, string];

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  return database;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-installation-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start({ connectionString }: TestDatabase, settings: Record<string, string>): Promise<TestService> {
  const service = await startTestService({ QUIRE_DATABASE_URL: connectionString, ...settings });
  cleanups.push(() => service.stop());
  return service;
}

/** Returns the message with which the service refuses to start. */
const refusal = (database: TestDatabase, settings: Record<string, string>): Promise<string> =>
  start(database, settings).then(
    () => 'the service started',
    (error: unknown) => (error as Error).message,
  );

async function query<Row>({ connectionString }: TestDatabase, text: string): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

const foreignKey = (known: string, own: string): string =>
  `Settings:\n  QUIRE_SECRET_KEY: the database has the secret key ${known}, and this one is ${own}; every process ` +
  "needs the same one. If the former key is lost, run 'npm run rotate-secret-key -- --lost-key'";

const foreignStorage = (known: string, own: string, folder: string): string =>
  `Settings:\n  QUIRE_STORAGE_URL: the files of this database are in the storage ${known}, and this one is ${own}; ` +
  `every process needs the same folder or bucket. If the files were moved here, write ${known} to ` +
  path.join(folder, 'objects', 'installation', 'id');

test('a process with another secret key is refused beside a running one and after it', async () => {
  const database = await newDatabase();
  const storage = { QUIRE_STORAGE_URL: await newFolder() };
  const first = await start(database, storage);
  expect(await refusal(database, { ...storage, QUIRE_SECRET_KEY: OTHER_KEY })).toBe(foreignKey(KEY_ID, OTHER_KEY_ID));
  // The one that runs is not disturbed.
  const collection = await createCollection(first, await createWorkspace(first));
  expect((await createDocument(first, collection)).status).toBe('ready');
  await first.stop();
  expect(await refusal(database, { ...storage, QUIRE_SECRET_KEY: OTHER_KEY })).toBe(foreignKey(KEY_ID, OTHER_KEY_ID));
  await start(database, storage);
});

test('a process with other storage is refused beside a running one and after it', async () => {
  const database = await newDatabase();
  const [folder, unshared] = [await newFolder(), await newFolder()];
  const first = await start(database, { QUIRE_STORAGE_URL: folder });
  const [row] = await query<{ storage_id: string }>(database, 'select storage_id from installation');
  const id = row?.storage_id ?? '';
  const alone = foreignStorage(id, 'another', unshared);
  expect(await refusal(database, { QUIRE_STORAGE_URL: unshared })).toBe(alone);
  await first.stop();
  expect(await refusal(database, { QUIRE_STORAGE_URL: unshared })).toBe(alone);
  // The storage of another installation.
  const elsewhere = await newDatabase();
  await start(elsewhere, { QUIRE_STORAGE_URL: unshared });
  const [other] = await query<{ storage_id: string }>(elsewhere, 'select storage_id from installation');
  expect(await refusal(database, { QUIRE_STORAGE_URL: unshared })).toBe(
    foreignStorage(id, other?.storage_id ?? '', unshared),
  );
  // The remedy for files that were moved.
  await writeFile(path.join(unshared, 'objects', 'installation', 'id'), `${id}\n`);
  await start(database, { QUIRE_STORAGE_URL: unshared });
});

test('of two processes that start at once on an empty database with unshared storage, one is refused', async () => {
  const database = await newDatabase();
  const folders = [await newFolder(), await newFolder()];
  const outcomes = await Promise.allSettled(folders.map((folder) => start(database, { QUIRE_STORAGE_URL: folder })));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a database of a former version takes the key of its secrets and the storage of the first process', async () => {
  const database = await newDatabase();
  const storage = { QUIRE_STORAGE_URL: await newFolder() };
  const former = await start(database, storage);
  await createWorkspace(former);
  await former.stop();
  await query(database, 'update installation set secret_key_id = null, storage_id = null');
  expect(await refusal(database, { ...storage, QUIRE_SECRET_KEY: OTHER_KEY })).toBe(foreignKey(KEY_ID, OTHER_KEY_ID));
  await start(database, storage);
  expect(await query(database, 'select secret_key_id from installation')).toEqual([{ secret_key_id: KEY_ID }]);
});

test('a rotation of the secret key changes the key that processes need', async () => {
  const database = await newDatabase();
  const storage = { QUIRE_STORAGE_URL: await newFolder() };
  const former = await start(database, storage);
  await createWorkspace(former);
  await former.stop();
  const logger = createLogger({ level: 'silent' });
  const handle = connectDatabase({
    connection: database.connectionString,
    poolSize: 1,
    applicationName: 'test',
    logger,
  });
  await rotateSecrets(handle.db, new SecretBox(deriveSecrets(KEY)), new SecretBox(deriveSecrets(OTHER_KEY)));
  await handle.close();
  expect(await refusal(database, storage)).toBe(foreignKey(OTHER_KEY_ID, KEY_ID));
  await start(database, { ...storage, QUIRE_SECRET_KEY: OTHER_KEY });
});

test('commands that seal secrets or copy files are refused too, and a lost key is replaced on request', async () => {
  const database = await newDatabase();
  const [folder, data] = [await newFolder(), await newFolder()];
  const service = await start(database, { QUIRE_STORAGE_URL: folder });
  const { id } = await createWorkspace(service);
  const env = {
    QUIRE_DATABASE_URL: database.connectionString,
    QUIRE_STORAGE_URL: folder,
    QUIRE_DATA_DIR: data,
    QUIRE_SECRET_KEY: OTHER_KEY,
  };
  const refused = { code: 1, out: '', error: `${foreignKey(KEY_ID, OTHER_KEY_ID)}\n` };
  expect(await runCommand(['keys', 'create', id, 'name', 'read'], env)).toEqual(refused);
  const unshared = await newFolder();
  const backup = path.join(data, 'a.backup');
  expect(await runCommand(['backup', backup], { ...env, QUIRE_STORAGE_URL: unshared })).toMatchObject({
    code: 1,
    error: expect.stringContaining('QUIRE_STORAGE_URL: the files of this database are in the storage'),
  });
  expect(existsSync(backup)).toBe(false);
  expect(await runCommand(['backup', backup], env)).toMatchObject({ code: 0 });
  expect(await runCommand(['rotate-secret-key', '--lost-key'], env)).toMatchObject({
    code: 1,
    error: 'The service is running (or was killed less than 30 s ago): stop it first\n',
  });
  await service.stop();
  expect(await runCommand(['rotate-secret-key', '--lost-key'], env)).toEqual({
    code: 0,
    out:
      `The database has the secret key ${OTHER_KEY_ID} now.\n` +
      `Set all credentials again that were encrypted under key ${KEY_ID}.\n`,
    error: '',
  });
  await start(database, { QUIRE_STORAGE_URL: folder, QUIRE_SECRET_KEY: OTHER_KEY });

  const restored = await newDatabase();
  const target = { ...env, QUIRE_DATABASE_URL: restored.connectionString, QUIRE_STORAGE_URL: unshared };
  expect(await runCommand(['restore', backup], target)).toMatchObject({
    code: 1,
    error:
      `Settings:\n  QUIRE_SECRET_KEY: the backup was made with the secret key ${KEY_ID}, and this one is ` +
      `${OTHER_KEY_ID}. Set the key of the backup, or add --lost-key if it is lost\n`,
  });
  expect(await runCommand(['restore', backup], { ...target, QUIRE_SECRET_KEY: KEY })).toMatchObject({ code: 0 });
  await start(restored, { QUIRE_STORAGE_URL: unshared });
  expect(await refusal(restored, { QUIRE_STORAGE_URL: folder })).toContain('QUIRE_STORAGE_URL');
});

test('a data directory without its key is refused and gets no new one, unless the key is lost', async () => {
  const dataDir = await newFolder();
  const file = path.join(dataDir, 'secret.key');
  const env = { QUIRE_LOG_LEVEL: 'fatal' };
  const first = await startService({ dataDir, env });
  await first.stop();
  const former = await readFile(file, 'utf8');
  await rm(file);
  const refused = await runCommand(['serve'], { QUIRE_DATA_DIR: dataDir });
  expect(refused.code).toBe(1);
  expect(refused.error).toContain(
    `Settings:\n  ${file}: the database has the secret key ${deriveSecrets(former.trim()).keyId}, and this one is `,
  );
  expect(existsSync(file)).toBe(false);
  const replaced = await runCommand(['rotate-secret-key', '--lost-key'], { QUIRE_DATA_DIR: dataDir });
  expect(replaced.code).toBe(0);
  expect(await readFile(file, 'utf8')).not.toBe(former);
  const second = await startService({ dataDir, env });
  await second.stop();
});
