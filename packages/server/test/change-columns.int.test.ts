/** The columns of a document whose changes reach viewers of the live events. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Columns that never change, that change together with one that the trigger compares, or that no client sees. */
const NOT_COMPARED = [
  'attempt_token',
  'attempts',
  'changed_in',
  'chunk_count',
  'collection_id',
  'content_id',
  'content_type',
  'created_at',
  'deadline_at',
  'error_message',
  'error_type',
  'format',
  'is_archive',
  'kept_bytes',
  'key',
  'language',
  'modified_at',
  'page_count',
  'parent_id',
  'ready_at',
  'searchable_content_id',
  'sha256',
  'size_bytes',
  'title',
  'warnings',
  'workspace_id',
];

test('each column of a document is compared by the trigger of live events, or is listed here', async () => {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'documents'`.execute(database.db);
  const { rows: functions } = await sql<{ source: string }>`
    select prosrc as source from pg_proc where proname = 'log_changed_documents'`.execute(database.db);
  const compared = new Set([...(functions[0]?.source ?? '').matchAll(/\bo\.([a-z_]+)/g)].map(([, name]) => name));
  const others = columns.map(({ name }) => name).filter((name) => !compared.has(name));
  expect(others.toSorted()).toEqual(NOT_COMPARED);
});
