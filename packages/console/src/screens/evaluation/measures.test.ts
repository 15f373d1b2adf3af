import { expect, test } from 'vitest';
import { scoreOf, summaryOf } from './measures.ts';

const hit = (documentId: string, documentName = `${documentId}.pdf`) => ({ documentId, documentName });

test('a document found at the second place counts by its id or its name, and once', () => {
  const score = scoreOf({ query: 'q', documents: ['b.pdf', 'x'] }, [hit('a'), hit('a'), hit('b'), hit('b')], 5);
  expect(score.reciprocalRank).toBe(0.5);
  expect(score.recall).toBe(0.5);
  expect(score.ndcg).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 10);
});

test('the summary has means and percentiles of the times', () => {
  const scores = [1, 2, 3, 4].map((tookMs) => ({ ndcg: tookMs / 4, recall: 1, reciprocalRank: 0.5, tookMs }));
  expect(summaryOf(scores)).toEqual({ ndcg: 0.625, recall: 1, reciprocalRank: 0.5, p50Ms: 2, p95Ms: 4 });
});
