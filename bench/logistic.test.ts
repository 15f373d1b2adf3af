import { expect, test } from 'vitest';
import { calibrationError, chanceError, type Scored } from './logistic.ts';

/** Answers with a confidence of 85 %, of which a share is right. */
const answers = (count: number, right: number): Scored[] =>
  Array.from({ length: count }, (_, index) => ({ score: 0.85, y: index < right ? 1 : 0, weight: 1 }));

test('the calibration error is the distance of confidence and share of right answers', () => {
  expect(calibrationError(answers(20, 17))).toBeCloseTo(0);
  expect(calibrationError(answers(20, 12))).toBeCloseTo(0.25);
});

test('few answers have a calibration error by chance, many have less', () => {
  // Deviation of the mean of 20: √(.85 · .15 / 20) = .0798.
  expect(chanceError(answers(20, 17))).toBeCloseTo(0.0798 * Math.sqrt(2 / Math.PI), 4);
  expect(chanceError(answers(2_000, 1_700))).toBeCloseTo(chanceError(answers(20, 17)) / 10, 6);
});

test('the error by chance is the mean of drawn ones', () => {
  let state = 1;
  // Park and Miller's generator, so that every run draws the same.
  const random = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  const scores = Array.from({ length: 90 }, random);
  const draw = (): Scored[] => scores.map((score) => ({ score, y: random() < score ? 1 : 0, weight: 1 }));
  const errors = Array.from({ length: 2_000 }, () => calibrationError(draw()));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  expect(chanceError(draw())).toBeCloseTo(mean, 2);
});
