/**
 * The probability that quotes answer a question: a logistic regression over few signals, calibrated by isotonic
 * regression. Fitted by `npm run bench:answerability` on both halves of the drawn questions and checked on others;
 * docs/decisions/2026-11-24-more-questions-for-confidence.md has the figures.
 */
import type { AnswerSignals } from './signals.ts';

interface Weights {
  intercept: number;
  coverage: number;
  lacksKind: number;
  missingNames: number;
  relevance: number;
  likeness: number;
  leastLike: number;
  chunkCoverage: number;
}

export const WITH_LIKENESS: Weights = {
  intercept: -3.73,
  coverage: 1.45,
  lacksKind: -1.37,
  missingNames: -3.9,
  relevance: 0.02,
  likeness: 2.78,
  leastLike: 0.99,
  chunkCoverage: 1.58,
};

/**
 * Steps of the calibration for English: logit and share of right answers, between which is interpolated. All answers of
 * the last step were right; its share is below 1 because they are few.
 */
const CALIBRATION: readonly (readonly [logit: number, share: number])[] = [
  [-4.09, 0],
  [-2.47, 0.07],
  [-1.8, 0.1],
  [-1.61, 0.16],
  [-1.32, 0.21],
  [-0.79, 0.26],
  [-0.13, 0.51],
  [0.37, 0.59],
  [0.54, 0.63],
  [0.77, 0.65],
  [0.96, 0.69],
  [1.14, 0.78],
  [1.26, 0.83],
  [1.65, 0.86],
  [2.18, 0.88],
  [2.39, 0.94],
  [2.51, 0.96],
  [2.71, 0.98],
];

/** Languages without likeness: coverage by the sentence and by its chunk, and missing names. */
interface TermWeights {
  intercept: number;
  coverage: number;
  chunk: number;
  missingNames: number;
}
const HAN_AND_KANA: TermWeights = { intercept: -1.35, coverage: 2.28, chunk: 2.57, missingNames: -2.6 };
const OTHER: TermWeights = { intercept: -0.99, coverage: 1.84, chunk: 2.32, missingNames: -2.6 };

/** Confidence below which the engine reports that there is no answer. */
export const THRESHOLD = 0.24;

/** Returns the values that the weights apply to, in their order. */
export function featuresOf(signals: AnswerSignals): number[] {
  const { coverage, lacksKind, missingNames, relevance, likeness, leastLike, chunkCoverage } = signals;
  return [coverage, lacksKind ? 1 : 0, missingNames, relevance, likeness ?? 0, leastLike ?? 0, chunkCoverage];
}

/** `language` is that in which question and chunks were compared. */
export function confidenceOf(signals: AnswerSignals, language: string | null): number {
  if (signals.likeness === null) return confidenceByTerms(signals, language);
  const { intercept, ...weights } = WITH_LIKENESS;
  const values = Object.values(weights);
  return calibrated(featuresOf(signals).reduce((sum, value, index) => sum + value * (values[index] ?? 0), intercept));
}

/** Returns a probability that is not calibrated, scaled so that an even chance is at the threshold. */
function confidenceByTerms(signals: AnswerSignals, language: string | null): number {
  const { intercept, coverage, chunk, missingNames } = language === 'zh' || language === 'ja' ? HAN_AND_KANA : OTHER;
  const logit =
    intercept + coverage * signals.coverage + chunk * signals.chunkCoverage + missingNames * signals.missingNames;
  return 1 / (1 + Math.exp(-logit - Math.log(THRESHOLD / (1 - THRESHOLD))));
}

/** Interpolates between the steps of the calibration. */
function calibrated(logit: number): number {
  const above = CALIBRATION.findIndex(([step]) => step >= logit);
  const [left, right] = [CALIBRATION[above - 1], CALIBRATION[above]];
  if (above < 0) return CALIBRATION.at(-1)?.[1] ?? 0;
  if (left === undefined || right === undefined) return right?.[1] ?? 0;
  return left[1] + ((right[1] - left[1]) * (logit - left[0])) / (right[0] - left[0]);
}
