import type { Pooling } from './inference-protocol.ts';

/**
 * Returns one L2-normalised vector per text. Output of shape [texts, length, size] is pooled over each text's own
 * tokens; [texts, size] is already pooled. Padding is on the right.
 */
export function poolRows(
  hidden: Float32Array,
  dimensions: readonly number[],
  lengths: readonly number[],
  pooling: Pooling,
): Float32Array {
  const size = dimensions.at(-1) ?? 0;
  const positions = dimensions.length === 2 ? 1 : (dimensions[1] ?? 0);
  const vectors = new Float32Array(lengths.length * size);
  for (const [index, length] of lengths.entries()) {
    const vector = vectors.subarray(index * size, (index + 1) * size);
    const counted = pooling === 'cls' ? 1 : Math.min(length, positions);
    for (let position = 0; position < counted; position++) {
      const start = (index * positions + position) * size;
      for (let i = 0; i < size; i++) vector[i] = (vector[i] ?? 0) + (hidden[start + i] ?? 0);
    }
    normalise(vector);
  }
  return vectors;
}

/** Returns one score per row: the only output, or how much the second of two classes exceeds the first. */
export function scoresOf(output: Float32Array, dimensions: readonly number[]): Float32Array {
  const [rows = 0, classes = 1] = dimensions;
  if (dimensions.length > 2 || classes > 2) throw new Error('The model is no cross-encoder with one score');
  return Float32Array.from({ length: rows }, (_, row) => {
    const last = output[row * classes + classes - 1] ?? 0;
    return classes === 2 ? last - (output[row * classes] ?? 0) : last;
  });
}

/** Normalises in place; keeps the zero vector. */
export function normalise(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return;
  const factor = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * factor;
}
