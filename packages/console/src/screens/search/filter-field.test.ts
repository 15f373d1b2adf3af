import { expect, test } from 'vitest';
import { withCondition } from './filter-field.tsx';

test('conditions are joined, with values as JSON has them', () => {
  const first = withCondition(undefined, 'metadata.year', 'gte', '2025');
  expect(JSON.parse(first)).toEqual({ 'metadata.year': { gte: 2025 } });
  const second = withCondition(first, 'name', 'eq', 'lease.pdf');
  expect(JSON.parse(second)).toEqual({ and: [{ 'metadata.year': { gte: 2025 } }, { name: { eq: 'lease.pdf' } }] });
  expect(JSON.parse(withCondition(second, 'language', 'in', 'de, en'))).toEqual({
    and: [{ 'metadata.year': { gte: 2025 } }, { name: { eq: 'lease.pdf' } }, { language: { in: ['de', 'en'] } }],
  });
});

test('what is no JSON is replaced', () => {
  expect(JSON.parse(withCondition('{', 'pageCount', 'exists', 'true'))).toEqual({ pageCount: { exists: true } });
});
