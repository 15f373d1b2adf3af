/** Which labels mean what a field asks for, by the vectors of an embedder. */
import type { Embedder } from '@quire/models/embedder';
import { TextTooLongError } from '@quire/models/embedder';
import type { LabelSimilarity, EmbeddingInputs } from './extraction.ts';

/** Cosines below say nothing: short texts of one language are always a little alike. */
const LEAST_COSINE = 0.6;
/** Of a label, only the fields that it is most like. */
const FIELDS_OF_A_LABEL = 2;

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
        if (cosine < LEAST_COSINE || field === undefined || label === undefined) return [];
        return [{ label, field, cosine }];
      })
      .toSorted((a, b) => b.cosine - a.cosine)
      .slice(0, FIELDS_OF_A_LABEL),
  );
}

/** Vectors are a help, not a need: without them words alone decide. */
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
