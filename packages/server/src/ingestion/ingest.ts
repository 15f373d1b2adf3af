/**
 * Ingests one document: parses and chunks it in the sandbox, embeds the chunks, writes them to PostgreSQL and the
 * search index, and makes them visible last. Every step is idempotent: chunks of an unfinished revision are replaced,
 * and index rows without a chunk are never returned.
 */
import type { CollectionIndexRecord, DocumentRecord } from '../database/tables.ts';
import type { Format } from '@quire/parse/formats';
import type { IndexWriter } from '@quire/search/index-writer';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { ContentError } from '@quire/blocks/content-error';
import type { ContentWarning } from '@quire/blocks/content-warning';
import type { Embedder } from '@quire/models/embedder';
import { embedChunks } from './embed-chunks.ts';
import { clearPages, pageCache } from './page-cache.ts';
import { parseWithProvider } from '@quire/process/parse/parse-with-provider';
import type { DocumentParser } from '@quire/models/document-parser';
import { toChunkRows, toIndexRows } from './chunk-rows.ts';
import type { ParseLimits, ParseOptions, SourceFile } from '@quire/parse/parser';
import type { SandboxClient, AnalysedChunk, ChunkedDocument } from '@quire/process/tasks/sandbox-client';
import type { NewChunk } from '../database/tables.ts';

export interface IngestTarget {
  index: CollectionIndexRecord;
  /** Null for a sparse index. */
  embedder: Embedder | null;
}

export interface IngestInput {
  document: DocumentRecord;
  targets: readonly IngestTarget[];
  options: ParseOptions;
  /** Null for the built-in parsers. */
  parser: DocumentParser | null;
}

/** State changes of the document, implemented by the domain. The promises reject when the attempt is superseded. */
export interface IngestStates {
  /** Reports progress; reports may be dropped. */
  progress(stage: 'parsing' | 'chunking' | 'embedding' | 'writing', fraction: number): void;
  storeChunks(generation: number, rows: readonly NewChunk[]): Promise<bigint[]>;
  /** Returns vectors of unchanged chunks and of earlier attempts, by content hash in hex. */
  knownEmbeddings(index: CollectionIndexRecord, modelId: string): Promise<Map<string, Buffer>>;
  keepEmbeddings(modelId: string, vectors: Map<string, Buffer>): Promise<void>;
  succeed(ready: {
    language: string | null;
    title: string | null;
    pageCount: number | null;
    warnings: readonly ContentWarning[];
    /** Number of chunks by index generation. */
    chunkCounts: ReadonlyMap<number, number>;
  }): Promise<void>;
}

export interface IngestDeps {
  store: ObjectStore;
  sandbox: SandboxClient;
  writer: IndexWriter;
  limits: ParseLimits;
  /** Maximum number of pixels of an image to decode. */
  limitPixels: number;
  /** Called with the warnings of every document that became ready or failed. */
  observeWarnings: (warnings: readonly ContentWarning[]) => void;
}

/** Ingests the document. Throws `ContentError` for faulty content; other errors justify another attempt. */
export async function ingest(
  input: IngestInput,
  states: IngestStates,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<void> {
  const chunked = await parse(input, states, deps, signal);
  if (chunked.chunks.length === 0) {
    const reasons = chunked.warnings.map(({ message }) => message);
    const message = ['The document holds no readable text', ...reasons.slice(0, 3)].join('. ');
    throw new ContentError('no_text', message, { warnings: chunked.warnings });
  }
  const treeKey = storageKeys.tree(input.document, input.document.content_id);
  const [chunkCounts] = await Promise.all([
    indexAll(input, chunked, states, deps, signal),
    deps.store.put(treeKey, chunked.tree, signal),
  ]);
  signal.throwIfAborted();
  if (input.parser !== null) await clearPages(deps.store, input.document);
  const { language, title, pageCount, warnings } = chunked;
  await states.succeed({ language, title, pageCount, warnings, chunkCounts });
  deps.observeWarnings(warnings);
}

/**
 * Returns the number of chunks for each generation, because an index under construction may be live when this attempt
 * ends.
 */
async function indexAll(
  input: IngestInput,
  chunked: ChunkedDocument,
  states: IngestStates,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const chunkCounts = new Map<number, number>();
  for (const target of input.targets) {
    const chunks = await chunksFor(target, input, chunked, deps, signal);
    await indexChunks(target, chunks, input.document, states, deps, signal);
    chunkCounts.set(target.index.generation, chunks.length);
  }
  return chunkCounts;
}

async function parse(
  input: IngestInput,
  states: IngestStates,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<ChunkedDocument> {
  const { document, options, parser } = input;
  const recipe = primaryRecipe(input.targets);
  const original = await deps.store.checkout(storageKeys.original(document, document.content_id), signal);
  if (original === undefined) throw new ContentError('internal', 'The stored file is missing');
  try {
    const file = sourceFile(document, original.path);
    const onProgress = (fraction: number): void => states.progress('parsing', fraction);
    const cache = parser === null ? null : pageCache(deps.store, document, parser.parserId);
    const outside = { sandbox: deps.sandbox, limitPixels: deps.limitPixels, cache };
    const { reading, warnings } = await parseWithProvider(parser, file, outside, { signal, onProgress });
    return await deps.sandbox.parseAndChunk(
      {
        file,
        reading,
        warnings,
        options,
        limits: deps.limits,
        chunking: recipe.chunking,
        language: recipe.language,
      },
      { signal, onProgress },
    );
  } finally {
    await original.release();
  }
}

export function sourceFile(
  document: Pick<DocumentRecord, 'name' | 'size_bytes' | 'format' | 'content_type'>,
  path: string,
): SourceFile {
  return {
    path,
    name: document.name,
    sizeBytes: Number(document.size_bytes),
    format: document.format as Format,
    contentType: document.content_type,
  };
}

function primaryRecipe(targets: readonly IngestTarget[]): CollectionIndexRecord['recipe'] {
  const primary = targets.find((target) => target.index.status === 'live') ?? targets[0];
  if (primary === undefined) throw new ContentError('internal', 'The collection has no index');
  return primary.index.recipe;
}

/** Returns the chunks of a target. An index under construction may differ in chunking or language. */
async function chunksFor(
  target: IngestTarget,
  input: IngestInput,
  chunked: ChunkedDocument,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<AnalysedChunk[]> {
  const { chunking, language } = target.index.recipe;
  const primary = primaryRecipe(input.targets);
  const same =
    chunking.maxTokens === primary.chunking.maxTokens &&
    chunking.overlapTokens === primary.chunking.overlapTokens &&
    language === primary.language;
  if (same) return chunked.chunks;
  return deps.sandbox.rechunk({ tree: chunked.tree, name: input.document.name, chunking, language }, { signal });
}

async function indexChunks(
  target: IngestTarget,
  chunks: readonly AnalysedChunk[],
  document: DocumentRecord,
  states: IngestStates,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<void> {
  const { generation, table_name: name } = target.index;
  const { embedder } = target;
  const vectors = embedder === null ? null : await embed({ ...target, embedder }, chunks, document, states, signal);
  signal.throwIfAborted();
  const rows = await toChunkRows(document, generation, chunks, vectors, signal);
  const keys = await states.storeChunks(generation, rows);
  const table = { name, dimensions: embedder?.dimensions ?? null };
  await deps.writer.write(table, toIndexRows(document, keys, chunks, vectors));
}

async function embed(
  { index, embedder }: IngestTarget & { embedder: Embedder },
  chunks: readonly AnalysedChunk[],
  document: DocumentRecord,
  states: IngestStates,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  // For a new document only vectors from a provider can exist.
  const isNew = document.searchable_revision === null && embedder.concurrentBatches === undefined;
  const options = {
    known: isNew ? new Map<string, Buffer>() : await states.knownEmbeddings(index, embedder.modelId),
    keep: (vectors: Map<string, Buffer>) => states.keepEmbeddings(embedder.modelId, vectors),
    onProgress: (fraction: number) => states.progress('embedding', fraction),
  };
  return embedChunks(chunks, embedder, options, signal);
}
