/**
 * Chooses how a model's weights are stored by what they cost on this processor: a part of the model is converted to
 * each format, and the formats embed the same texts in turn. Figures: docs/decisions/2026-11-23-number-formats.md.
 */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startInferenceThread, type BatchRunner } from './inference/thread-pool.ts';
import { writeBertGraph, type BertShape, type WeightSource } from './onnx/bert-graph.ts';
import type { LinearFormat } from './onnx/linear-weights.ts';

/** Preferred first: vectors of `block8` do not depend on their batch, and floats take four times the memory. */
export const FORMATS = ['block8', 'dynamic8', 'float'] as const satisfies readonly LinearFormat[];
export type ModelFormat = (typeof FORMATS)[number];

export interface FormatChoice {
  format: ModelFormat;
  /** Milliseconds for `tokens` tokens in each format, for people. */
  measured: string;
}

/** A preferred format may cost this much more than the fastest one. */
const TOLERANCE = 1.15;
const TOKENS = 180;
const ROUNDS = 8;
/** All layers have the same size, so two of them show what each format costs. */
const LAYERS = 2;
const WORDS = 8;

/** Returns the first format that costs at most `TOLERANCE` times as much as the fastest one. */
export function cheapestFormat(costs: Readonly<Record<ModelFormat, number>>): ModelFormat {
  const least = Math.min(...FORMATS.map((format) => costs[format]));
  return FORMATS.find((format) => costs[format] <= least * TOLERANCE) ?? 'block8';
}

export async function measureFormats(
  weights: WeightSource,
  shape: BertShape,
  maxTokens: number,
  folder: string,
): Promise<FormatChoice> {
  const tokens = Math.min(TOKENS, maxTokens);
  const part = { ...shape, layers: Math.min(LAYERS, shape.layers) };
  const runners = new Map<ModelFormat, BatchRunner>();
  const files: string[] = [];
  const costs: Record<ModelFormat, number> = { block8: Infinity, dynamic8: Infinity, float: Infinity };
  try {
    for (const format of FORMATS) {
      const modelFile = path.join(folder, `${format}.part.onnx`);
      files.push(modelFile);
      await writeFile(modelFile, await writeBertGraph(withFewWords(weights, shape), part, format));
      const settings = { modelFile, pooling: 'mean', paddingId: 0, priority: 'query' } as const;
      runners.set(format, await startInferenceThread(settings));
    }
    // In turn, because other processes use the machine too. The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [format, runner] of runners) {
        const startedAt = performance.now();
        await runner.run([new Int32Array(tokens)]);
        if (round > 0) costs[format] = Math.min(costs[format], performance.now() - startedAt);
      }
  } finally {
    await Promise.all([...runners.values()].map((runner) => runner.close()));
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
  const each = FORMATS.map((format) => `${format} ${((costs[format] * shape.layers) / part.layers).toFixed(1)} ms`);
  return { format: cheapestFormat(costs), measured: `${each.join(', ')} for ${tokens} tokens` };
}

/** Replaces the table of words, which is most of a small model and costs nothing to look up in. */
const withFewWords = (weights: WeightSource, { hiddenSize }: BertShape): WeightSource => ({
  vector: (name) => weights.vector(name),
  matrix: async (name) =>
    name === 'embeddings.word_embeddings.weight'
      ? { shape: [WORDS, hiddenSize], values: new Float32Array(WORDS * hiddenSize) }
      : weights.matrix(name),
});
