import type { AnalysedChunk } from '@quire/process/tasks/sandbox-client';
import { contentHash, embeddingText } from './chunk-rows.ts';
import { TextTooLongError, type Embedder } from '@quire/models/embedder';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { fromFloat16, toFloat16 } from '@quire/shared/float16';
import { mapConcurrently } from '@quire/shared/map-concurrently';

/** Number of chunks per call of the embedder. */
const BATCH_SIZE = 64;

export interface EmbedChunksOptions {
  /** Existing vectors as float16, by content hash in hex. */
  known: ReadonlyMap<string, Buffer>;
  /** Stores vectors from a provider for the next attempt, in case this one is interrupted. */
  keep: (vectors: Map<string, Buffer>) => Promise<void>;
  onProgress: (fraction: number) => void;
}

interface MissingChunk {
  chunk: AnalysedChunk;
  index: number;
}

/**
 * Returns a vector for each chunk, in order. Chunks with unchanged text keep their vector, so re-ingestion embeds only
 * edited chunks, and an interrupted attempt is resumed.
 */
export async function embedChunks(
  chunks: readonly AnalysedChunk[],
  embedder: Embedder,
  options: EmbedChunksOptions,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = knownVectors(chunks, embedder, options.known);
  const missing = chunks.flatMap((chunk, index) => (vectors[index] === undefined ? [{ chunk, index }] : []));
  const batches = Array.from({ length: Math.ceil(missing.length / BATCH_SIZE) }, (_, place) =>
    missing.slice(place * BATCH_SIZE, (place + 1) * BATCH_SIZE),
  );
  // A static model answers each batch without waiting for anything.
  const turns = new EventLoopTurns(signal);
  let done = 0;
  await mapConcurrently(batches, embedder.concurrentBatches ?? 1, async (batch) => {
    for (const [index, vector] of await embedBatch(batch, embedder, signal)) vectors[index] = vector;
    if (embedder.concurrentBatches !== undefined) await options.keep(toKeep(batch, vectors));
    await turns.pass();
    done += 1;
    if (batches.length > 1) options.onProgress(done / batches.length);
  });
  return vectors.map((vector, index) => {
    if (vector === undefined) throw new Error(`the embedder returned no vector for chunk ${index}`);
    return vector;
  });
}

function knownVectors(
  chunks: readonly AnalysedChunk[],
  embedder: Embedder,
  known: EmbedChunksOptions['known'],
): (Float32Array | undefined)[] {
  // Most documents have no known vectors and need no hashes.
  if (known.size === 0) return chunks.map(() => undefined);
  return chunks.map((chunk) => {
    const vector = known.get(contentHash(chunk).toString('hex'));
    return vector?.length === embedder.dimensions * 2 ? fromFloat16(vector) : undefined;
  });
}

async function embedBatch(
  batch: readonly MissingChunk[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<[number, Float32Array][]> {
  try {
    // Most texts have fewer characters than a model reads tokens; they need no counting.
    return await embedPieces(batch, embedder, embedder.maxTokens, signal);
  } catch (error) {
    // A model that normalises text can have several tokens for one character, such as a ligature of a whole phrase.
    if (!(error instanceof TextTooLongError)) throw error;
    return embedPieces(batch, embedder, 0, signal);
  }
}

/** Texts of up to `uncounted` characters are embedded without counting their tokens. */
async function embedPieces(
  batch: readonly MissingChunk[],
  embedder: Embedder,
  uncounted: number,
  signal: AbortSignal,
): Promise<[number, Float32Array][]> {
  const pieces = batch.flatMap(({ chunk, index }) =>
    piecesOf(embeddingText(chunk), embedder, uncounted).map((text) => ({ text, index })),
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

/**
 * Splits a text that exceeds the model's limit. Chunk sizes are estimates of tokens, so a chunk may be too long; no
 * part is dropped.
 */
function piecesOf(text: string, embedder: Embedder, uncounted: number): string[] {
  if (text.length <= uncounted || embedder.tokenCounter.count(text) <= embedder.maxTokens) return [text];
  const middle = Math.floor(text.length / 2);
  const space = text.lastIndexOf(' ', middle);
  const cut = space > 0 ? space : middle;
  return [text.slice(0, cut), text.slice(cut)].flatMap((part) => piecesOf(part, embedder, uncounted));
}

/** Returns the normalised mean of the vectors. */
function meanOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first, ...others] = vectors;
  if (first === undefined || others.length === 0) return first;
  const sum = first.map((value, index) => others.reduce((total, other) => total + (other[index] ?? 0), value));
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}
