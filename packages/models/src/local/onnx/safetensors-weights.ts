import type { WeightSource } from './bert-graph.ts';
import type { SafetensorsFile } from './safetensors.ts';

/** Returns the weights of a file, whose names may have the model's prefix (`bert.`, `roberta.`). */
export function safetensorsWeights(file: SafetensorsFile): WeightSource {
  const marker = 'embeddings.word_embeddings.weight';
  const prefix = file.names.find((name) => name.endsWith(marker))?.slice(0, -marker.length) ?? '';
  return {
    vector: async (name) => (await file.floats(prefix + name)).values,
    matrix: (name) => file.floats(prefix + name),
  };
}
