/**
 * Fills a collection without ingestion: documents and chunks are inserted into PostgreSQL in bulk, from which the
 * service loads its index. A million chunks take minutes.
 */
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { startEmbeddedPostgres } from '../packages/server/src/database/embedded-postgres.ts';
import { createLogger } from '../packages/server/src/logger.ts';
import type { Embedder } from '@quire/models/embedder';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { toFloat16 } from '@quire/shared/float16';
import type { ServiceProcess } from '../packages/server/test/service-process.ts';
import { ChunkSource, LANGUAGE, type GeneratedChunk } from './chunk-source.ts';
import type { TextSource } from './text.ts';

export const CHUNKS_PER_DOCUMENT = 10;
const DOCUMENTS_PER_INSERT = 200;

export interface CollectionPlace {
  ws: string;
  col: string;
}

/** Inserts the chunks and returns the time, in ms. Documents have `metadata.number`, counted from 0. */
export async function loadSynthetic(
  service: ServiceProcess,
  { ws, col }: CollectionPlace,
  chunks: number,
  source: TextSource,
): Promise<number> {
  return withDatabase(service, async (pool) => {
    const insertMs = await elapsed(() => insertAll(pool, { ws, col }, chunks, source));
    await pool.query('vacuum analyze documents, chunks');
    return insertMs;
  });
}

/** Runs `work` with a connection to the embedded PostgreSQL of the service. */
export async function withDatabase<T>(service: ServiceProcess, work: (pool: Pool) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(service.dataDir, 'postgres'),
    logger: createLogger({ level: 'silent' }),
  });
  const pool = new Pool(postgres.connection);
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await postgres.leave();
  }
}

async function elapsed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function insertAll(pool: Pool, to: CollectionPlace, chunks: number, source: TextSource): Promise<void> {
  const generator = await ChunkSource.open(source, await embedderOf(pool, to.col));
  const documents = Math.ceil(chunks / CHUNKS_PER_DOCUMENT);
  let inserting = Promise.resolve();
  for (let first = 0; first < documents; first += DOCUMENTS_PER_INSERT) {
    const count = Math.min(DOCUMENTS_PER_INSERT, documents - first);
    const batch = Array.from({ length: count }, () => generator.document(CHUNKS_PER_DOCUMENT));
    // The next batch is generated while PostgreSQL writes this one.
    await inserting;
    inserting = insertBatch(pool, to, first, batch);
  }
  await inserting;
}

/** Opens the embedder of the collection's index; only the shipped model is supported. */
export async function embedderOf(pool: Pool, col: string): Promise<Embedder> {
  const { rows } = await pool.query<{ embedding_model: string }>(
    'select embedding_model from collection_indexes where collection_id = $1',
    [col],
  );
  return new LocalEmbedders().open(rows[0]?.embedding_model ?? '');
}

async function insertBatch(
  pool: Pool,
  { ws, col }: CollectionPlace,
  first: number,
  documents: readonly GeneratedChunk[][],
): Promise<void> {
  const ids = documents.map(() => randomUUID());
  await pool.query(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, metadata,
       status, progress, language, chunk_count, searchable_revision, content_id, searchable_content_id, ready_at)
     select id, $1, $2, number || '.txt', 'txt', 'text/plain', 10000, id::text, jsonb_build_object('number', number),
       'ready', 1, '${LANGUAGE}', ${CHUNKS_PER_DOCUMENT}, 1, id, id, now()
     from unnest($3::uuid[], $4::int[]) as d(id, number)`,
    [ws, col, ids, ids.map((_, index) => first + index)],
  );
  const parts = documents.flatMap((chunks, index) =>
    chunks.map((chunk, ordinal) => ({ ...chunk, ordinal, id: ids[index] })),
  );
  await pool.query(
    `insert into chunks (workspace_id, collection_id, document_id, revision, generation, ordinal, id, text, headings,
       block_ids, boxes, token_count, content_hash, terms, embedding)
     select $1, $2, document_id, 1, 1, ordinal, gen_random_uuid(), text, '{}', array['b' || ordinal], '[]', 200,
       sha256(text::bytea), terms, embedding
     from unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::bytea[])
       as c(document_id, ordinal, text, terms, embedding)`,
    [
      ws,
      col,
      parts.map((part) => part.id),
      parts.map((part) => part.ordinal),
      parts.map((part) => part.text),
      parts.map((part) => part.terms),
      parts.map((part) => toFloat16(part.vector)),
    ],
  );
}
