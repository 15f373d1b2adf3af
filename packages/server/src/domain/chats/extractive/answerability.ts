/**
 * Whether the passages answer the question at all: a logistic regression over six signals, fitted on questions of
 * SQuAD 2, CLAPnq and MTRAG, for other languages on questions whose document was there or not. How, and with which
 * figures: docs/decisions/2026-11-21-unanswerable-questions.md and 2026-11-22-questions-in-other-languages.md.
 */
export interface AnswerSignals {
  /** 0..1: share of the question's terms, by weight, in the sentences that answer best. */
  coverage: number;
  /** 0..1: share of the question's terms that stand anywhere in the passage of the best sentence. */
  passageCoverage: number;
  /** Cosine of question and passage; null without one, or of a model that the weights were not fitted for. */
  similarity: number | null;
  /** The sentence has the opposite of a word of the question. */
  hasOpposite: boolean;
  /** The question asks for a rank that the sentence does not speak of. */
  lacksRank: boolean;
  /** Names and numbers of the question that stand nowhere around the sentence. */
  missingNames: number;
}

interface Weights {
  intercept: number;
  coverage: number;
  passage: number;
  similarity: number;
  opposite: number;
  rank: number;
  name: number;
}

/** Zero is where, of the questions that were answerable, 6.5 % (5.6 % without similarity) are refused. */
const ENGLISH = { passage: 0, opposite: -2, rank: -1.91 };
const WITH_SIMILARITY: Weights = { ...ENGLISH, intercept: -1.83, coverage: 2.2, similarity: 3.51, name: -0.78 };
const WITHOUT: Weights = {
  intercept: -0.25,
  coverage: 2.79,
  passage: 0,
  similarity: 0,
  opposite: -2.07,
  rank: -1.95,
  name: -0.89,
};
/** 7 % are refused; opposites and ranks are English words, and mean nothing here. */
const ELSEWHERE = { similarity: 0, opposite: 0, rank: 0 };
const HAN_AND_KANA: Weights = { ...ELSEWHERE, intercept: -1.35, coverage: 2.28, passage: 2.57, name: -0.87 };
const OTHER: Weights = { ...ELSEWHERE, intercept: -0.99, coverage: 1.84, passage: 2.32, name: -0.8 };

/** The static model that ships; others have cosines of another scale. */
const FITTED_MODEL = 'quire-static';

/** Whether cosines of this model say something to the weights. It knows English only. */
export const isFitted = (denseModelId: string | null, language: string | null): boolean =>
  denseModelId !== null && denseModelId.startsWith(FITTED_MODEL) && language === 'en';

/** `language`: of the question where it is English, else of question and passages; null is taken for English. */
export function isAnswered(signals: AnswerSignals, language: string | null): boolean {
  const { coverage, passageCoverage, similarity, hasOpposite, lacksRank, missingNames } = signals;
  const weights = weightsFor(language, similarity);
  const logit =
    weights.intercept +
    weights.coverage * coverage +
    weights.passage * passageCoverage +
    weights.similarity * (similarity ?? 0) +
    (hasOpposite ? weights.opposite : 0) +
    (lacksRank ? weights.rank : 0) +
    weights.name * missingNames;
  return logit >= 0;
}

function weightsFor(language: string | null, similarity: number | null): Weights {
  if (similarity !== null) return WITH_SIMILARITY;
  if (language === 'zh' || language === 'ja') return HAN_AND_KANA;
  return language === null || language === 'en' ? WITHOUT : OTHER;
}
