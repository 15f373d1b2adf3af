/** The summary module: uses the language model when one is configured, otherwise the document's own sentences. */
import type { SummaryConfig } from '../blocks.ts';
import type { Module } from '../module.ts';
import { extractiveSummary } from './extractive-summary.ts';
import { summariseWithModel } from './model-summary.ts';

export const summarise: Module<SummaryConfig, { text: string }> = async (document, config, deps, signal) => {
  const { model, onProgress } = deps;
  if (model === null) {
    const text = await extractiveSummary(document, config, deps, signal);
    return { result: { text }, outputs: [], usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const { text, usage } = await summariseWithModel(document, config, model, onProgress, signal);
  return { result: { text }, outputs: [], usage };
};
