/** The classification module: uses the language model when one is configured, otherwise meaning and words. */
import type { ClassificationConfig } from '../blocks.ts';
import type { Module } from '../module.ts';
import { classifyWithModel } from './classify-with-model.ts';
import { classifyBySimilarity, labelsOfParts, type ScoredLabel } from './classify-by-similarity.ts';
import { labelsOf, leavesOf } from './taxonomy.ts';

export interface Classification {
  /**
   * Labels, best first. For a single label all of them, with scores that sum to 1; with `multiLabel` only those that
   * apply.
   */
  labels: { path: readonly string[]; score: number }[];
}

const MAX_LABELS = 100;
/** Maximum number of labels in a request to a model. For a larger taxonomy it receives the most similar ones. */
const MAX_MODEL_LABELS = 200;

export const classify: Module<ClassificationConfig, Classification> = async (document, config, deps, signal) => {
  const labels = labelsOf(config.taxonomy);
  const multiLabel = config.multiLabel === true;
  const { model, embedder, onProgress } = deps;
  if (model === null) {
    const find = multiLabel ? labelsOfParts : classifyBySimilarity;
    const scored = await find(labels, document, embedder, signal);
    return { result: present(scored), outputs: [], usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const leaves = leavesOf(labels);
  const asked =
    leaves.length <= MAX_MODEL_LABELS
      ? leaves
      : (await classifyBySimilarity(labels, document, embedder, signal))
          .slice(0, MAX_MODEL_LABELS)
          .map(({ label }) => label);
  onProgress(0.2);
  const { labels: scored, usage } = await classifyWithModel(asked, document, model, multiLabel, signal);
  const named = multiLabel ? scored.filter(({ score }) => score > 0) : scored;
  return { result: present(named.length > 0 ? named : scored.slice(0, 1)), outputs: [], usage };
};

const present = (scored: readonly ScoredLabel[]): Classification => ({
  labels: scored
    .slice(0, MAX_LABELS)
    .map(({ label, score }) => ({ path: label.path, score: Math.round(score * 1e6) / 1e6 })),
});
