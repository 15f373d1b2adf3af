import { expect, test } from 'vitest';
import { flag, oneOf, parseSearch, searchParams, share, stringifySearch, text, whole } from './search-params.ts';

const read = searchParams({ q: text, page: whole, weight: share, explain: flag, mode: oneOf('dense', 'sparse') });

test('parameters are read from plain text', () => {
  expect(read(parseSearch('?q=2026&page=3&weight=0.5&explain=1&mode=dense'))).toEqual({
    q: '2026',
    page: 3,
    weight: 0.5,
    explain: true,
    mode: 'dense',
  });
});

test('values that do not fit and unknown parameters are left out', () => {
  expect(read(parseSearch('?q=&page=-1&weight=2&explain=no&mode=other&x=1'))).toEqual({});
});

test('what is written is read back', () => {
  const search = { q: 'a&b = "c"', page: 0, weight: 0, explain: true as const, mode: 'sparse' as const };
  expect(read(parseSearch(stringifySearch(search)))).toEqual(search);
  expect(stringifySearch({ q: undefined, mode: '' })).toBe('');
});
