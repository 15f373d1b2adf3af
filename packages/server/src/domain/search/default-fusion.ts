/**
 * The default fusion of a hybrid search, by embedding model and by the languages of the searched documents. Measured in
 * docs/decisions/2026-11-21-fusion-defaults.md: with these weights `minmax` is never worse than sparse alone; `rrf` is
 * worse outside English with every weight, since ranks do not show that a leg is unreliable.
 */
import type { FusionOptions } from '@quire/search/fusion';
import { ALL_MINILM, BGE_SMALL, MULTILINGUAL_E5, STATIC_NAME } from '@quire/models/local/catalogue';

/** The number of searched documents in a language (null if unknown). */
export interface LanguageShare {
  language: string | null;
  documents: number;
}

const ENGLISH_MODELS = [BGE_SMALL.name, ALL_MINILM.name, STATIC_NAME];
/** Better than sparse on each of six English sets; lower weights are not, and higher ones are worse on SQuAD 2. */
const STRONG_WEIGHT = 0.5;
/** Weight of a multilingual model. */
const MULTILINGUAL_WEIGHT = 0.5;
/** Weight of a model for another language than the documents': only a tie-break. */
const FOREIGN_WEIGHT = 0.05;
const STATIC_WEIGHT = 0.15;
/** The static model has no words of other languages; every weight above 0 made some set worse. */
const STATIC_FOREIGN_WEIGHT = 0;

/** Returns the default fusion. Unmeasured models of providers get the weight of the local English transformers. */
export function defaultFusion(modelId: string, shares: readonly LanguageShare[]): FusionOptions {
  const denseWeight = denseWeightOf(modelId, shares);
  return { method: 'minmax', denseWeight, sparseWeight: Number((1 - denseWeight).toFixed(2)) };
}

/** Returns whether a model represents English only. */
export const isEnglishModel = (modelId: string): boolean => ENGLISH_MODELS.some((name) => modelId.startsWith(name));

function denseWeightOf(modelId: string, shares: readonly LanguageShare[]): number {
  if (modelId.startsWith(MULTILINGUAL_E5.name)) return MULTILINGUAL_WEIGHT;
  if (!isEnglishModel(modelId)) return STRONG_WEIGHT;
  const total = shares.reduce((sum, share) => sum + share.documents, 0);
  const english = shares.reduce((sum, share) => sum + (share.language === 'en' ? share.documents : 0), 0);
  const isEnglish = english * 2 > total;
  if (modelId.startsWith(STATIC_NAME)) return isEnglish ? STATIC_WEIGHT : STATIC_FOREIGN_WEIGHT;
  return isEnglish ? STRONG_WEIGHT : FOREIGN_WEIGHT;
}
