/** The migration that gives each chat its creator, on the data of the version before. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { migrateDatabase, migrationsFolder } from '../../database/migrate.ts';

const MIGRATION = '0031_private_chats.sql';
const logger = pino({ level: 'silent' });
const id = (last: number): string => `0192f0c4-0000-7000-8000-${String(last).padStart(12, '0')}`;
const [WORKSPACE, COLLECTION, MODEL, KEY] = [id(1), id(2), id(3), id(4)];

/** Creates the schema as it was before the migration, with a collection. */
async function createFormerSchema({ pool }: TestDatabase): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-migrations-'));
  const names = (await readdir(migrationsFolder)).filter((name) => name < MIGRATION);
  for (const name of names) await copyFile(path.join(migrationsFolder, name), path.join(folder, name));
  await pool.query('drop schema public cascade; drop schema graphile_worker cascade; create schema public');
  await migrateDatabase(pool, logger, folder);
  await rm(folder, { recursive: true });
  await pool.query(`insert into workspaces (id, name) values ('${WORKSPACE}', 'w')`);
  await pool.query(
    `insert into configurations (id, workspace_id, kind, role, name, config)
     values ('${MODEL}', '${WORKSPACE}', 'models', 'model', 'm', '{}'),
       ('${id(5)}', '${WORKSPACE}', 'parsers', 'parser', 'p', '{}'),
       ('${id(6)}', '${WORKSPACE}', 'embedders', 'dense_embedder', 'd', '{}'),
       ('${id(7)}', '${WORKSPACE}', 'embedders', 'sparse_embedder', 's', '{}')`,
  );
  await pool.query(
    `insert into collections (id, workspace_id, name, parser_id, embedder_id, sparse_embedder_id, chunking)
     values ('${COLLECTION}', '${WORKSPACE}', 'c', '${id(5)}', '${id(6)}', '${id(7)}', '{}')`,
  );
}

/** Creates a chat as the version before does, with an audit entry in the same transaction. */
async function createFormerChat({ pool }: TestDatabase, chat: string, subject?: string | null): Promise<void> {
  const entry =
    subject === undefined
      ? ''
      : `insert into audit_entries
           (id, workspace_id, at, action, resource_type, resource_id, actor, key_id, subject, request_id, address,
            outcome)
         values (gen_random_uuid(), '${WORKSPACE}', now(), 'createChat', 'chat', '${chat}', 'key', '${KEY}',
           ${subject === null ? 'null' : `'${subject}'`}, 'r', '::1', 'done');`;
  await pool.query(
    `begin; insert into chats (id, workspace_id, collection_id, model_id)
       values ('${chat}', '${WORKSPACE}', '${COLLECTION}', '${MODEL}'); ${entry} commit`,
  );
}

const creators = async ({ pool }: TestDatabase): Promise<unknown> =>
  (await pool.query('select id, key_id, subject from chats order by id')).rows;

test('a chat gets its creator from the audit log, also one that a process of the version before creates', async () => {
  const database = await createTestDatabase();
  try {
    await createFormerSchema(database);
    await createFormerChat(database, id(11), null);
    await createFormerChat(database, id(12), 'ada');
    await createFormerChat(database, id(13));
    await migrateDatabase(database.pool, logger);
    await createFormerChat(database, id(14), 'bob');
    expect(await creators(database)).toEqual([
      { id: id(11), key_id: KEY, subject: null },
      { id: id(12), key_id: KEY, subject: 'ada' },
      { id: id(13), key_id: null, subject: null },
      { id: id(14), key_id: KEY, subject: 'bob' },
    ]);
  } finally {
    await database.drop();
  }
});
