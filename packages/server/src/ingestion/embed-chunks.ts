import type { AnalysedChunk } from '@quire/process/tasks/sandbox-client';
import { contentHash, embeddingText } from './chunk-rows.ts';
import type { Embedder } from '@quire/models/embedder';
import { fromFloat16, toFloat16 } from '@quire/shared/float16';

const BATCH = 64;

export interface EmbedChunksOptions {
  /** Vectors that there are already, by content hash in hex, float16. */
  known: ReadonlyMap<string, Buffer>;
  /** Stores what an outside provider has made so far, for the next attempt should this one break off. */
  keep: (vectors: Map<string, Buffer>) => Promise<void>;
  onProgress: (fraction: number) => void;
}

interface MissingChunk {
  chunk: AnalysedChunk;
  index: number;
}

/**
 * A vector for each passage, in order. Passages whose text has not changed keep the vector they have, so re-ingesting an
 * edited document embeds only what was edited, and an attempt that broke off is carried on.
 */
export async function embedChunks(
  chunks: readonly AnalysedChunk[],
  embedder: Embedder,
  options: EmbedChunksOptions,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = knownVectors(chunks, embedder, options.known);
  const missing = chunks.flatMap((chunk, index) => (vectors[index] === undefined ? [{ chunk, index }] : []));
  const batches = Array.from({ length: Math.ceil(missing.length / BATCH) }, (_, place) =>
    missing.slice(place * BATCH, (place + 1) * BATCH),
  );
  let done = 0;
  await concurrently(batches, embedder.concurrentBatches ?? 1, async (batch) => {
    for (const [index, vector] of await embedBatch(batch, embedder, signal)) vectors[index] = vector;
    if (embedder.concurrentBatches !== undefined) await options.keep(toKeep(batch, vectors));
    done += 1;
    if (batches.length > 1) options.onProgress(done / batches.length);
  });
  return vectors.map((vector, index) => {
    if (vector === undefined) throw new Error(`the embedder returned no vector for passage ${index}`);
    return vector;
  });
}

function knownVectors(
  chunks: readonly AnalysedChunk[],
  embedder: Embedder,
  known: EmbedChunksOptions['known'],
): (Float32Array | undefined)[] {
  // Of most documents nothing is known: no need to hash them.
  if (known.size === 0) return chunks.map(() => undefined);
  return chunks.map((chunk) => {
    const vector = known.get(contentHash(chunk).toString('hex'));
    return vector?.length === embedder.dimensions * 2 ? fromFloat16(vector) : undefined;
  });
}

/** So many at once, in order. When one fails no other is begun, and those under way are waited for. */
async function concurrently<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  let failed = false;
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of left) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  const outcomes = await Promise.allSettled(workers);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function embedBatch(
  batch: readonly MissingChunk[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<[number, Float32Array][]> {
  const pieces = batch.flatMap(({ chunk, index }) =>
    piecesOf(embeddingText(chunk), embedder).map((text) => ({ text, index })),
  );
  const embedded = await embedder.embedDocuments(
    pieces.map(({ text }) => text),
    signal,
  );
  return batch.flatMap(({ index }) => {
    const vector = meanOf(embedded.filter((_, position) => pieces[position]?.index === index));
    return vector === undefined ? [] : [[index, vector] as [number, Float32Array]];
  });
}

function toKeep(batch: readonly MissingChunk[], vectors: readonly (Float32Array | undefined)[]): Map<string, Buffer> {
  return new Map(
    batch.flatMap(({ chunk, index }) => {
      const vector = vectors[index];
      return vector === undefined ? [] : [[contentHash(chunk).toString('hex'), toFloat16(vector)]];
    }),
  );
}

/** Chunks are cut by an estimate of tokens; one that the model finds too long after all is read in parts, none left out. */
function piecesOf(text: string, embedder: Embedder): string[] {
  // No model has more tokens than characters, so most texts need no counting.
  if (text.length <= embedder.maxTokens || embedder.tokenCounter.count(text) <= embedder.maxTokens) return [text];
  const middle = Math.floor(text.length / 2);
  const space = text.lastIndexOf(' ', middle);
  const cut = space > 0 ? space : middle;
  return [text.slice(0, cut), text.slice(cut)].flatMap((part) => piecesOf(part, embedder));
}

/** The direction between the vectors, normalised. */
function meanOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first, ...others] = vectors;
  if (first === undefined || others.length === 0) return first;
  const sum = first.map((value, index) => others.reduce((total, other) => total + (other[index] ?? 0), value));
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}
