import { expect, test } from 'vitest';
import { quantileBetween, readSamples, sumOf } from './prometheus.ts';

const page = (fast: number, slow: number): string => `# HELP quire_search_duration_seconds Searches
# TYPE quire_search_duration_seconds histogram
quire_search_duration_seconds_bucket{le="0.01",mode="hybrid"} ${fast}
quire_search_duration_seconds_bucket{le="0.1",mode="hybrid"} ${fast + slow}
quire_search_duration_seconds_bucket{le="+Inf",mode="hybrid"} ${fast + slow}
quire_jobs{state="ready"} 3
quire_jobs{state="running"} 4
`;

test('samples are read with their labels', () => {
  const samples = readSamples(page(1, 2));
  expect(sumOf(samples, 'quire_jobs')).toBe(7);
  expect(sumOf(samples, 'quire_jobs', { state: 'running' })).toBe(4);
  expect(readSamples('no metrics')).toEqual([]);
});

test('a quantile concerns what was recorded between two readings', () => {
  const before = readSamples(page(1000, 0));
  expect(quantileBetween(before, readSamples(page(1090, 10)), 'quire_search_duration_seconds', 0.5)).toBe(0.01);
  expect(quantileBetween(before, readSamples(page(1090, 10)), 'quire_search_duration_seconds', 0.95)).toBe(0.1);
  expect(quantileBetween(before, before, 'quire_search_duration_seconds', 0.95)).toBeNull();
  const after = readSamples(page(1090, 10));
  const name = 'quire_search_duration_seconds';
  expect(quantileBetween(before, after, name, 0.5, { mode: 'hybrid' })).toBe(0.01);
  expect(quantileBetween(before, after, name, 0.5, { mode: 'sparse' })).toBeNull();
});
