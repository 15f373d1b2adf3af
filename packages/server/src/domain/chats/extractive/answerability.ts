/**
 * The probability that quotes answer a question: a logistic regression over few signals, calibrated by isotonic
 * regression. Fitted by `npm run bench:answerability` on both halves of the drawn questions and on questions in other
 * words, and checked on others; docs/decisions/2026-11-28-sentences-compared-by-a-transformer.md has the figures.
 */
import type { AnswerSignals } from './signals.ts';

interface Weights {
  intercept: number;
  coverage: number;
  lacksKind: number;
  /** Added to `lacksKind` for a sum of money, a measure, a date or a number: a name may be anything. */
  lacksFirmKind: number;
  missingNames: number;
  likeness: number;
  leastLike: number;
}

export const IN_ENGLISH: Weights = {
  intercept: -2.88,
  coverage: 0.35,
  lacksKind: -1.13,
  lacksFirmKind: -0.95,
  missingNames: -5.16,
  likeness: 4.34,
  leastLike: 1.55,
};

/**
 * Steps of the calibration for English: logit and share of right answers, between which is interpolated. At −0.93, at
 * most 8 % of the answerable questions of each set but those in other words are refused; its share is that of the
 * threshold in place of .33, so that one threshold holds for all languages. All answers of the last step were right;
 * its share is below 1 because they are few.
 */
const CALIBRATION_IN_ENGLISH: readonly (readonly [logit: number, share: number])[] = [
  [-4.25, 0],
  [-2.68, 0.03],
  [-2.14, 0.11],
  [-1.79, 0.17],
  [-1.47, 0.2],
  [-0.93, 0.24],
  [-0.71, 0.36],
  [-0.26, 0.4],
  [0.06, 0.51],
  [0.23, 0.56],
  [0.61, 0.6],
  [0.85, 0.72],
  [1.01, 0.82],
  [1.28, 0.85],
  [2.1, 0.87],
  [2.41, 0.93],
  [2.59, 0.97],
];

/**
 * German, French and Spanish: fitted on manuals, on questions in other words, and on everyday ones (tuning halves).
 * Near misses have twice the share of questions about removed or foreign paragraphs;
 * docs/decisions/2026-11-28-confidence-in-german-french-spanish.md has the figures.
 */
export const IN_OTHERS: Weights = {
  intercept: -2.4,
  coverage: 2.05,
  lacksKind: -1.06,
  lacksFirmKind: -0.55,
  missingNames: -2.11,
  likeness: 4.46,
  leastLike: 0.33,
};

/**
 * Steps of the calibration of `IN_OTHERS`, fitted like it. At −1.3, at most 8 % of the answerable questions of each
 * fitted set and language but those in other words are refused; there it is .24 in place of .23.
 */
const CALIBRATION_IN_OTHERS: readonly (readonly [logit: number, share: number])[] = [
  [-3.74, 0],
  [-2.39, 0.08],
  [-1.74, 0.12],
  [-1.3, 0.24],
  [-1.12, 0.27],
  [-1, 0.32],
  [-0.8, 0.33],
  [-0.46, 0.38],
  [-0.23, 0.4],
  [0.07, 0.5],
  [0.31, 0.52],
  [0.5, 0.6],
  [0.59, 0.65],
  [0.72, 0.75],
  [0.88, 0.77],
  [1.14, 0.84],
  [1.37, 0.89],
  [2.25, 0.9],
  [2.69, 0.92],
];

/** Languages without likeness: coverage by the sentence and by its chunk, no value of the kind, and missing names. */
interface TermWeights {
  intercept: number;
  coverage: number;
  chunk: number;
  lacksKind: number;
  missingNames: number;
}
const HAN_AND_KANA: TermWeights = { intercept: -1.35, coverage: 2.28, chunk: 2.57, lacksKind: 0, missingNames: -2.6 };
/**
 * The weight of a missing kind is fitted on German and French questions, the others on earlier sets of several
 * languages; docs/decisions/2026-11-24-answers-in-other-languages.md has the figures.
 */
const BY_TERMS: TermWeights = {
  intercept: -0.99,
  coverage: 1.84,
  chunk: 2.32,
  lacksKind: -2.54,
  missingNames: -2.6,
};

/**
 * Steps of the calibration of `BY_TERMS`, fitted on manuals and encyclopaedia articles. At −0.04, the threshold that
 * the manuals give, it is that of English in place of .19, so that one threshold holds for all languages.
 */
const CALIBRATION_BY_TERMS: readonly (readonly [logit: number, share: number])[] = [
  [-3.81, 0],
  [-1.02, 0.17],
  [-0.13, 0.19],
  [-0.04, 0.24],
  [0.28, 0.25],
  [0.65, 0.33],
  [0.84, 0.34],
  [1.01, 0.37],
  [1.31, 0.48],
  [1.6, 0.56],
  [1.69, 0.72],
  [2.54, 0.77],
  [2.7, 0.79],
  [2.73, 0.85],
  [3.08, 0.85],
  [3.17, 0.92],
];

const ENGLISH = 'en';
/** Confidence below which the engine reports that there is no answer. */
export const THRESHOLD = 0.24;

/** Returns the values that the weights apply to, in their order. */
export function featuresOf(signals: AnswerSignals): number[] {
  const { coverage, lacksKind, isFirm, missingNames, likeness, leastLike } = signals;
  return [coverage, lacksKind ? 1 : 0, lacksKind && isFirm ? 1 : 0, missingNames, likeness ?? 0, leastLike ?? 0];
}

/** `language` is that in which question and chunks were compared. */
export function confidenceOf(signals: AnswerSignals, language: string | null): number {
  if (signals.likeness === null) return confidenceByTerms(signals, language);
  const [weights, steps] =
    language === ENGLISH ? [IN_ENGLISH, CALIBRATION_IN_ENGLISH] : [IN_OTHERS, CALIBRATION_IN_OTHERS];
  return calibrated(logitOf(featuresOf(signals), weights), steps);
}

/** Values of `BY_TERMS` in their order. */
const termFeaturesOf = ({ coverage, chunkCoverage, lacksKind, missingNames }: AnswerSignals): number[] => [
  coverage,
  chunkCoverage,
  lacksKind ? 1 : 0,
  missingNames,
];

/** `features` are in the order of the weights. */
function logitOf(features: readonly number[], { intercept, ...weights }: Weights | TermWeights): number {
  const values = Object.values(weights);
  return features.reduce((sum, value, index) => sum + value * (values[index] ?? 0), intercept);
}

/** In Chinese and Japanese it is not calibrated, but scaled so that an even chance is at the threshold. */
function confidenceByTerms(signals: AnswerSignals, language: string | null): number {
  const isHanOrKana = language === 'zh' || language === 'ja';
  const logit = logitOf(termFeaturesOf(signals), isHanOrKana ? HAN_AND_KANA : BY_TERMS);
  if (!isHanOrKana) return calibrated(logit, CALIBRATION_BY_TERMS);
  return 1 / (1 + Math.exp(-logit - Math.log(THRESHOLD / (1 - THRESHOLD))));
}

/** Interpolates between the steps of a calibration. */
function calibrated(logit: number, steps: typeof CALIBRATION_IN_ENGLISH): number {
  const above = steps.findIndex(([step]) => step >= logit);
  const [left, right] = [steps[above - 1], steps[above]];
  if (above < 0) return steps.at(-1)?.[1] ?? 0;
  if (left === undefined || right === undefined) return right?.[1] ?? 0;
  return left[1] + ((right[1] - left[1]) * (logit - left[0])) / (right[0] - left[0]);
}
