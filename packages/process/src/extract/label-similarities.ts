/** Finds labels that mean the same as a field, by the vectors of an embedder. */
import type { Embedder } from '@quire/models/embedder';
import { TextTooLongError } from '@quire/models/embedder';
import type { LabelSimilarity, EmbeddingInputs } from './extraction.ts';

/** Minimum cosine; short texts of one language always have some similarity. */
const MIN_COSINE = 0.6;
/** Maximum number of fields per label. */
const MAX_FIELDS_PER_LABEL = 2;

export async function labelSimilarities(
  { fields, labels }: EmbeddingInputs,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<LabelSimilarity[]> {
  if (fields.length === 0 || labels.length === 0) return [];
  const vectors = await embed([...fields.map(({ text }) => text), ...labels], embedder, signal);
  const ofFields = vectors.slice(0, fields.length);
  return vectors.slice(fields.length).flatMap((vector, index) =>
    ofFields
      .flatMap((other, at): LabelSimilarity[] => {
        const cosine = dot(vector, other);
        const field = fields[at]?.target;
        const label = labels[index];
        if (cosine < MIN_COSINE || field === undefined || label === undefined) return [];
        return [{ label, field, cosine }];
      })
      .toSorted((a, b) => b.cosine - a.cosine)
      .slice(0, MAX_FIELDS_PER_LABEL),
  );
}

/** Returns no vectors for texts that are too long, since extraction works without them. */
async function embed(texts: readonly string[], embedder: Embedder, signal: AbortSignal): Promise<Float32Array[]> {
  try {
    return await embedder.embedDocuments(texts, signal);
  } catch (error) {
    if (error instanceof TextTooLongError) return [];
    throw error;
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b[index] ?? 0);
  return sum;
}
