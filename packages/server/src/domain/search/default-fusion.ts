/**
 * How dense and sparse results are joined when a search does not say: by embedder and by the language of what is searched.
 * Measured, docs/decisions/2026-11-21-fusion-defaults.md: `minmax` never fell below sparse alone with these weights, `rrf`
 * did outside English with every weight, for it cannot see that a leg is unsure.
 */
import type { FusionOptions } from '@quire/search/fusion';
import { ALL_MINILM, BGE_SMALL, MULTILINGUAL_E5, STATIC_NAME } from '@quire/models/local/catalogue';

/** Documents in a language (null: unknown) among those that are searched. */
export interface LanguageShare {
  language: string | null;
  documents: number;
}

const ENGLISH_MODELS = [BGE_SMALL.name, ALL_MINILM.name, STATIC_NAME];
/** Above sparse on each of six English sets; less is not, and with more SQuAD 2 falls below. */
const STRONG_WEIGHT = 0.5;
/** A model that reads a hundred languages, on their own ground. */
const MULTILINGUAL_WEIGHT = 0.5;
/** For a model that reads another language than the documents': a tie-break, no more. */
const FOREIGN_WEIGHT = 0.05;
const STATIC_WEIGHT = 0.15;
/** It knows no word of another language, and nothing above 0 left every set where it was. */
const STATIC_FOREIGN_WEIGHT = 0;

/** For models of providers, which nobody has measured here, the weight of our own transformers for English. */
export function defaultFusion(modelId: string, shares: readonly LanguageShare[]): FusionOptions {
  const denseWeight = denseWeightOf(modelId, shares);
  return { method: 'minmax', denseWeight, sparseWeight: Number((1 - denseWeight).toFixed(2)) };
}

function denseWeightOf(modelId: string, shares: readonly LanguageShare[]): number {
  if (modelId.startsWith(MULTILINGUAL_E5.name)) return MULTILINGUAL_WEIGHT;
  if (!ENGLISH_MODELS.some((name) => modelId.startsWith(name))) return STRONG_WEIGHT;
  const total = shares.reduce((sum, share) => sum + share.documents, 0);
  const english = shares.reduce((sum, share) => sum + (share.language === 'en' ? share.documents : 0), 0);
  const isEnglish = english * 2 > total;
  if (modelId.startsWith(STATIC_NAME)) return isEnglish ? STATIC_WEIGHT : STATIC_FOREIGN_WEIGHT;
  return isEnglish ? STRONG_WEIGHT : FOREIGN_WEIGHT;
}
