import { expect, test } from 'vitest';
import { confidenceOf, THRESHOLD } from './answerability.ts';
import type { AnswerSignals } from './signals.ts';

const signals: AnswerSignals = {
  coverage: 0.5,
  chunkCoverage: 0.6,
  lacksKind: false,
  isFirm: false,
  missingNames: 0,
  likeness: null,
  leastLike: null,
};

test.each(['de', 'fr', 'ru', null])('without a value of the expected kind there is no answer in %s', (language) => {
  expect(confidenceOf(signals, language)).toBeGreaterThan(THRESHOLD);
  expect(confidenceOf({ ...signals, lacksKind: true }, language)).toBeLessThan(THRESHOLD);
});

test('the confidence by terms stays within the shares that were measured', () => {
  expect(confidenceOf({ ...signals, coverage: 1, chunkCoverage: 1 }, 'de')).toBe(0.92);
  expect(confidenceOf({ ...signals, coverage: 0, chunkCoverage: 0, lacksKind: true, missingNames: 1 }, 'de')).toBe(0);
});

test.each(['en', 'de', 'fr', 'es'])(
  'the likeness raises the confidence in %s, and a missing name lowers it',
  (language) => {
    const alike = { ...signals, likeness: 0.6, leastLike: 0.4 };
    expect(confidenceOf({ ...alike, likeness: 0.9 }, language)).toBeGreaterThan(confidenceOf(alike, language));
    expect(confidenceOf({ ...alike, missingNames: 0.5 }, language)).toBeLessThan(confidenceOf(alike, language));
  },
);

test('Chinese and Japanese do without the kind of value', () => {
  expect(confidenceOf({ ...signals, lacksKind: true }, 'ja')).toBe(confidenceOf(signals, 'ja'));
});
