/**
 * `npm run bench:database -- CHUNKS`: what a chunk takes in PostgreSQL, by table and index, and how long builds of
 * indexes take. Then copies the chunks into a table of 16 partitions by collection, and looks chunks up in both.
 */
import { loadavg } from 'node:os';
import type { Pool } from 'pg';
import { removeDirectory, startService } from '../packages/server/test/service-process.ts';
import { createCollection } from './measures.ts';
import { percentile } from './statistics.ts';
import { loadSynthetic, withDatabase } from './synthetic.ts';
import { TextSource } from './text.ts';

const CHUNKS = Number(process.argv[2] ?? 1_000_000);
const PARTITIONS = 16;
const LOOKUPS = 500;
const KEYS_PER_LOOKUP = 50;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function seconds(work: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now();
  await work();
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

async function describeSizes(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; heap: string; toast: string; indexes: string }>(
    `select relname as name, pg_relation_size(oid) as heap, pg_indexes_size(oid) as indexes,
       pg_total_relation_size(oid) - pg_relation_size(oid) - pg_indexes_size(oid) as toast
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and pg_total_relation_size(oid) > 1e6 order by pg_total_relation_size(oid) desc`,
  );
  for (const { name, ...sizes } of rows) {
    const [heap, toast, indexes] = [sizes.heap, sizes.toast, sizes.indexes].map((bytes) => Number(bytes) / CHUNKS);
    print(
      `${name}: ${heap?.toFixed(0)} bytes a chunk in rows, ${toast?.toFixed(0)} beside, ${indexes?.toFixed(0)} in indexes`,
    );
  }
}

async function describeIndexes(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as bytes
     from pg_index where indrelid = 'chunks'::regclass order by 2 desc`,
  );
  for (const { name, bytes } of rows) {
    const built = await seconds(() => pool.query(`reindex index ${name}`));
    print(`index ${name}: ${(Number(bytes) / CHUNKS).toFixed(0)} bytes a chunk, built in ${built}`);
  }
}

async function describePartitions(pool: Pool): Promise<void> {
  await pool.query('create table parted (like chunks including defaults) partition by hash (collection_id)');
  for (let at = 0; at < PARTITIONS; at += 1) {
    await pool.query(
      `create table parted_${at} partition of parted for values with (modulus ${PARTITIONS}, remainder ${at})`,
    );
  }
  // All chunks of a collection are in one partition, so that each document becomes a collection here.
  const columns =
    'workspace_id, document_id, revision, generation, ordinal, id, text, headings, block_ids, boxes, token_count, content_hash, terms, embedding, line_map, changed_in, key';
  const copied = await seconds(() =>
    pool.query(`insert into parted (collection_id, ${columns}) select document_id, ${columns} from chunks`),
  );
  const keyed = await seconds(() => pool.query('alter table parted add primary key (key, collection_id)'));
  const ordered = await seconds(() =>
    pool.query('create unique index on parted (document_id, generation, revision, ordinal, collection_id)'),
  );
  print(`${PARTITIONS} partitions: rows copied in ${copied}, primary key in ${keyed}, unique index in ${ordered}`);
  await pool.query('vacuum analyze parted');
  for (const [name, table] of [
    ['one table', 'chunks'],
    ['partitions', 'parted'],
  ] as const) {
    const times: number[] = [];
    for (let lookup = 0; lookup < LOOKUPS; lookup += 1) {
      const keys = Array.from({ length: KEYS_PER_LOOKUP }, () => 1 + Math.floor(Math.random() * CHUNKS));
      const startedAt = performance.now();
      await pool.query({ name, text: `select key, text from ${table} where key = any($1::bigint[])`, values: [keys] });
      times.push(performance.now() - startedAt);
    }
    print(
      `${KEYS_PER_LOOKUP} chunks by key from ${name}: p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${percentile(times, 0.95).toFixed(2)} ms`,
    );
  }
}

const service = await startService();
try {
  const ws = (await service.request<{ id: string }>('POST', '/workspaces', { name: 'Database' })).id;
  const col = await createCollection(service, ws, 'Database');
  const loadedMs = await loadSynthetic(service, { ws, col }, CHUNKS, new TextSource(2));
  print(`${CHUNKS} chunks inserted in ${(loadedMs / 1000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`);
  await withDatabase(service, async (pool) => {
    await pool.query("set maintenance_work_mem = '256MB'");
    await describeSizes(pool);
    await describeIndexes(pool);
    print(`vacuum analyze: ${await seconds(() => pool.query('vacuum analyze chunks'))}`);
    print(
      `all rows read: ${await seconds(() => pool.query('select sum(length(text) + length(embedding)) from chunks'))}`,
    );
    await describePartitions(pool);
    print(`load ${loadavg()[0]?.toFixed(1)}`);
  });
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
}
