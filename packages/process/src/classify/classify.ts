/** The classification module: by the language model where there is one, by meaning and words where there is none. */
import type { ClassificationConfig } from '../blocks.ts';
import type { Module } from '../module.ts';
import { classifyWithModel } from './classify-with-model.ts';
import { classifyBySimilarity, labelsOfParts, type ScoredLabel } from './classify-by-similarity.ts';
import { labelsOf, leavesOf } from './taxonomy.ts';

export interface Classification {
  /** Best first. Of a single label all that there are, so that their scores sum to 1; of several those that fit. */
  labels: { path: readonly string[]; score: number }[];
}

const MAX_LABELS = 100;
/** A model is asked about at most so many labels; of a larger taxonomy about those that similarity finds likeliest. */
const MAX_ASKED = 200;

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
    leaves.length <= MAX_ASKED
      ? leaves
      : (await classifyBySimilarity(labels, document, embedder, signal)).slice(0, MAX_ASKED).map(({ label }) => label);
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
