import { describe, expect, test } from 'vitest';
import { backgroundOf, relevanceOf } from './relevance.ts';

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

describe('relevanceOf', () => {
  test('each kind of evidence raises it', () => {
    const weak = relevanceOf({ deviation: 1, termCount: 4, matchedCount: 1 });
    expect(relevanceOf({ deviation: 5, termCount: 4, matchedCount: 1 })).toBeGreaterThan(weak);
    expect(relevanceOf({ deviation: 1, termCount: 4, matchedCount: 3 })).toBeGreaterThan(weak);
    expect(relevanceOf({ deviation: 1, termCount: 2, matchedCount: 1 })).toBeGreaterThan(weak);
  });

  test('a chunk without any term of the query and near the background has almost none', () => {
    expect(rounded(relevanceOf({ deviation: 0, termCount: 3, matchedCount: 0 }))).toBe(0);
    expect(rounded(relevanceOf({ deviation: null, termCount: 0, matchedCount: 0 }))).toBe(0.001);
  });

  test('without a dense leg the terms alone decide', () => {
    expect(rounded(relevanceOf({ deviation: null, termCount: 5, matchedCount: 5 }))).toBe(0.891);
    expect(rounded(relevanceOf({ deviation: null, termCount: 5, matchedCount: 1 }))).toBe(0.012);
  });

  test('a deviation beyond its bounds adds nothing', () => {
    const terms = { termCount: 2, matchedCount: 1 };
    expect(relevanceOf({ deviation: 40, ...terms })).toBe(relevanceOf({ deviation: 12, ...terms }));
    expect(relevanceOf({ deviation: -9, ...terms })).toBe(relevanceOf({ deviation: -2, ...terms }));
  });
});

describe('backgroundOf', () => {
  test('returns the mean and the deviation of the cosines', () => {
    const texts = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(-1, 0)];
    const { mean, deviation } = backgroundOf(Float32Array.of(1, 0), texts);
    expect([rounded(mean), rounded(deviation)]).toEqual([0, 0.816]);
  });

  test('has a deviation above zero for a query that is unrelated to every text', () => {
    expect(backgroundOf(Float32Array.of(0, 0), [Float32Array.of(1, 0)])).toEqual({ mean: 0, deviation: 0.02 });
  });
});
