/**
 * Builds an index from stored data: from block trees (re-index, with new chunks or vectors) or from stored chunks
 * (rebuild of a lost table). Resumable, since each step processes only what is missing.
 */
import { buffer } from 'node:stream/consumers';
import type { CollectionIndexRecord, DocumentRecord, NewChunk } from '../database/tables.ts';
import type { IndexWriter } from '@quire/search/index-writer';
import type { IndexRow, IndexTable } from '@quire/search/search-index';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { embedChunks } from './embed-chunks.ts';
import type { Embedder } from '@quire/models/embedder';
import { fromFloat16 } from '@quire/shared/float16';
import { toChunkRows, toIndexRows } from './chunk-rows.ts';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';

export interface ReindexDeps {
  store: ObjectStore;
  sandbox: SandboxClient;
  writer: IndexWriter;
}

export interface ReindexInput {
  index: CollectionIndexRecord;
  document: DocumentRecord;
  embedder: Embedder | null;
  /** Vectors of unchanged chunks from an index with the same model, by content hash. */
  known: ReadonlyMap<string, Buffer>;
  keep: (vectors: Map<string, Buffer>) => Promise<void>;
  /** Whether the rows need not be searchable before the index is optimised. */
  isBuild: boolean;
}

export const tableOf = (index: Pick<CollectionIndexRecord, 'table_name' | 'dimensions'>): IndexTable => ({
  name: index.table_name,
  dimensions: index.dimensions,
});

/**
 * Splits the stored tree of a document into chunks again and adds them to the index. Returns false when it has no tree.
 */
export async function reindexDocument(
  input: ReindexInput,
  storeChunks: (rows: readonly NewChunk[]) => Promise<bigint[] | undefined>,
  deps: ReindexDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const { document, index, embedder } = input;
  const tree = await readTree(document, deps.store, signal);
  if (tree === undefined) return false;
  const { chunking, language } = index.recipe;
  const chunks = await deps.sandbox.rechunk({ tree, name: document.name, chunking, language }, { signal });
  const { known, keep, isBuild } = input;
  const options = { known, keep, onProgress: () => undefined };
  const vectors = embedder === null ? null : await embedChunks(chunks, embedder, options, signal);
  const searchable = { ...document, revision: document.searchable_revision ?? document.revision };
  const keys = await storeChunks(await toChunkRows(searchable, index.generation, chunks, vectors, signal));
  if (keys === undefined) return true;
  await deps.writer.write(tableOf(index), toIndexRows(searchable, keys, chunks, vectors), { isBuild });
  return true;
}

async function readTree(
  document: DocumentRecord,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (document.searchable_content_id === null) return undefined;
  const stream = await store.get(storageKeys.tree(document, document.searchable_content_id), undefined, signal);
  return stream === undefined ? undefined : buffer(stream);
}

/** Converts chunks as stored in PostgreSQL to rows of the search index. */
export function rowsFromChunks(
  chunks: readonly { key: string; document_key: string; revision: number; terms: string; embedding: Buffer | null }[],
  dimensions: number | null,
): IndexRow[] {
  return chunks.map((chunk) => {
    const row: IndexRow = {
      chunkKey: BigInt(chunk.key),
      documentKey: BigInt(chunk.document_key),
      revision: chunk.revision,
      terms: chunk.terms,
    };
    return dimensions === null || chunk.embedding === null ? row : { ...row, vector: fromFloat16(chunk.embedding) };
  });
}
