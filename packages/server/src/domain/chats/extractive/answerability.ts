/**
 * Decides whether the chunks answer the question at all: a logistic regression over six signals, fitted on questions of
 * SQuAD 2, CLAPnq and MTRAG, and for other languages on questions with and without their document. Method and figures:
 * docs/decisions/2026-11-21-unanswerable-questions.md and 2026-11-22-questions-in-other-languages.md.
 */
export interface AnswerSignals {
  /** Share (0..1) of the question's terms, by weight, in the sentences that answer best. */
  coverage: number;
  /** Share (0..1) of the question's terms that occur anywhere in the chunk of the best sentence. */
  chunkCoverage: number;
  /** Cosine similarity of question and chunk; null without a dense model that the weights were fitted for. */
  similarity: number | null;
  /** Whether the sentence contains the opposite of a word of the question. */
  hasOpposite: boolean;
  /** Whether the question contains a rank (first, largest) that the sentence does not mention. */
  lacksRank: boolean;
  /** Number of names and numbers of the question that occur nowhere near the sentence. */
  missingNames: number;
}

interface Weights {
  intercept: number;
  coverage: number;
  chunk: number;
  similarity: number;
  opposite: number;
  rank: number;
  name: number;
}

/** At a logit of 0, 6.5 % of the answerable questions are refused (5.6 % without similarity). */
const ENGLISH = { chunk: 0, opposite: -2, rank: -1.91 };
const WITH_SIMILARITY: Weights = { ...ENGLISH, intercept: -1.83, coverage: 2.2, similarity: 3.51, name: -0.78 };
const WITHOUT_SIMILARITY: Weights = {
  intercept: -0.25,
  coverage: 2.79,
  chunk: 0,
  similarity: 0,
  opposite: -2.07,
  rank: -1.95,
  name: -0.89,
};
/** 7 % of the answerable questions are refused. Opposites and ranks are English words and do not apply. */
const NOT_ENGLISH = { similarity: 0, opposite: 0, rank: 0 };
const HAN_AND_KANA: Weights = { ...NOT_ENGLISH, intercept: -1.35, coverage: 2.28, chunk: 2.57, name: -0.87 };
const OTHER: Weights = { ...NOT_ENGLISH, intercept: -0.99, coverage: 1.84, chunk: 2.32, name: -0.8 };

/** The static model in the repository. Cosines of other models have another scale. */
const FITTED_MODEL = 'quire-static';

/** Whether the weights were fitted for cosines of this model, which supports English only. */
export const isFitted = (denseModelId: string | null, language: string | null): boolean =>
  denseModelId !== null && denseModelId.startsWith(FITTED_MODEL) && language === 'en';

/** `language` is that of the question if it is English, else that of question and chunks; null counts as English. */
export function isAnswered(signals: AnswerSignals, language: string | null): boolean {
  const { coverage, chunkCoverage, similarity, hasOpposite, lacksRank, missingNames } = signals;
  const weights = weightsFor(language, similarity);
  const logit =
    weights.intercept +
    weights.coverage * coverage +
    weights.chunk * chunkCoverage +
    weights.similarity * (similarity ?? 0) +
    (hasOpposite ? weights.opposite : 0) +
    (lacksRank ? weights.rank : 0) +
    weights.name * missingNames;
  return logit >= 0;
}

function weightsFor(language: string | null, similarity: number | null): Weights {
  if (similarity !== null) return WITH_SIMILARITY;
  if (language === 'zh' || language === 'ja') return HAN_AND_KANA;
  return language === null || language === 'en' ? WITHOUT_SIMILARITY : OTHER;
}
