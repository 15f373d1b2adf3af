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
    const embedded = await embedder.embedDocuments(batch.map(({ chunk }) => embeddingText(chunk)), signal);
    batch.forEach(({ index }, position) => (vectors[index] = embedded[position]));
    if (missing.length > BATCH) onProgress(Math.min(1, (start + BATCH) / missing.length));
  }
  return vectors.map((vector, index) => {
    if (vector === undefined) throw new Error(`the embedder returned no vector for passage ${index}`);
    return vector;
  });
}
