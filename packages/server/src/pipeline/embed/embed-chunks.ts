import type { PreparedChunk } from '../prepare.ts';
import { contentHash, embeddingText } from '../index/chunk-rows.ts';
import type { Embedder } from './embedder.ts';
import { fromFloat16 } from '../../shared/float16.ts';

const BATCH = 64;

/**
 * A vector for each passage, in order. Passages whose text has not changed keep the vector they have (`known`: by
 * content hash in hex, float16), so re-ingesting an edited document embeds only what was edited.
 */
export async function embedChunks(
  chunks: readonly PreparedChunk[],
  embedder: Embedder,
  known: ReadonlyMap<string, Buffer>,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Float32Array[]> {
  const vectors: (Float32Array | undefined)[] = chunks.map((chunk) => {
    const vector = known.get(contentHash(chunk).toString('hex'));
    return vector?.length === embedder.dimensions * 2 ? fromFloat16(vector) : undefined;
  });
  const missing = chunks.flatMap((chunk, index) => (vectors[index] === undefined ? [{ chunk, index }] : []));
  for (let start = 0; start < missing.length; start += BATCH) {
    const batch = missing.slice(start, start + BATCH);
    const pieces = batch.flatMap(({ chunk, index }) =>
      piecesOf(embeddingText(chunk), embedder).map((text) => ({ text, index })),
    );
    const embedded = await embedder.embedDocuments(
      pieces.map(({ text }) => text),
      signal,
    );
    for (const { index } of batch) {
      vectors[index] = meanOf(embedded.filter((_, position) => pieces[position]?.index === index));
    }
    if (missing.length > BATCH) onProgress(Math.min(1, (start + BATCH) / missing.length));
  }
  return vectors.map((vector, index) => {
    if (vector === undefined) throw new Error(`the embedder returned no vector for passage ${index}`);
    return vector;
  });
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
