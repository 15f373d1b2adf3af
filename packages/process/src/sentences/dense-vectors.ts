/** Embeds texts of any length. A text that exceeds the model's limit is represented by its beginning. */
import type { Embedder } from '@quire/models/embedder';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { splitLong } from '@quire/text/chunk/split-text';

/** Number of tokens reserved for the model's own prefix and special tokens. */
const RESERVED_TOKENS = 16;
const BATCH_SIZE = 32;

export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const limit = Math.max(1, embedder.maxTokens - RESERVED_TOKENS);
  const turns = new EventLoopTurns(signal);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += BATCH_SIZE) {
    const batch = texts
      .slice(at, at + BATCH_SIZE)
      .map((text) => splitLong(text, limit, embedder.tokenCounter)[0] ?? text);
    vectors.push(...(await embedder.embedDocuments(batch, signal)));
    await turns.pass();
  }
  return vectors;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Returns the sum of the vectors, normalised to length 1; undefined for none. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors;
  if (first === undefined) return undefined;
  const sum = new Float32Array(first.length);
  for (const vector of vectors) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
