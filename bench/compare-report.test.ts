import { expect, test } from 'vitest';
import { changesOf, rowsOf } from './compare-report.ts';

test('questions with another score are listed, the greatest loss first', () => {
  const before = [
    { id: 'a', score: 1, question: 'Who?', answer: 'Ann' },
    { id: 'b', score: 0.5 },
    { id: 'c', score: 1 },
  ];
  const after = [
    { id: 'c', score: 1 },
    { id: 'b', score: 1 },
    { id: 'a', score: 0, question: 'Who?', answer: 'Bob', gold: ['Ann'] },
    { id: 'new', score: 0 },
  ];
  expect(changesOf(before, after)).toEqual({
    better: 1,
    worse: 1,
    text: `## a: 1.000 → 0.000

Question: Who?

Gold: ["Ann"]

Before: Ann

After: Bob

## b: 0.500 → 1.000
`,
  });
});

test('a row has the figures of both versions and of the baseline, and a set of one version is shown', () => {
  const before = { figures: { accuracy: 0.5, old: 1 }, rows: [{ id: 'a', score: 0 }] };
  const after = { figures: { accuracy: 0.75 }, rows: [{ id: 'a', score: 1 }] };
  expect(rowsOf({ before, after, baseline: { accuracy: 0.25 } }).rows).toEqual([
    'accuracy | 0.5 | 0.75 | 0.25 |',
    'old | 1 | – | – |',
    'questions better / worse | | 1 / 0 | |',
  ]);
  expect(rowsOf({ before, after: null, baseline: undefined }).rows).toEqual([
    'accuracy | 0.5 | – | – |',
    'old | 1 | – | – |',
  ]);
});
