import { expect, test } from 'vitest';
import { collectPatterns, type Pattern } from './collect.ts';
import { prove } from './prove.ts';

test('literals and constructors are found in the syntax tree, not in comments and strings', () => {
  const patterns = new Map<string, Pattern>();
  const source = "// /comment/\nconst a = '/string/', b: RegExp = /a+/gu, c = 1 / 2 / 3;\nexport { a, b, c, d };";
  collectPatterns('src/one.ts', `${source}\nconst d = new RegExp(a);`, patterns);
  collectPatterns('src/two.ts', 'export const e = /a+/gu;', patterns);
  expect([...patterns.values()].map(({ text, files }) => [text, [...files]])).toEqual([
    ['/a+/gu', ['src/one.ts', 'src/two.ts']],
    ['new RegExp in one.ts', ['src/one.ts']],
  ]);
});

test('a pattern is linear, or there is a reason', async () => {
  expect(await prove('^[a-z]+$', 'i')).toBe('linear');
  expect(await prove('^(?:a+)+$', '')).toMatch(/^exponential/);
  expect(await prove('a+b', '')).toMatch(/^2nd degree polynomial/);
  expect(await prove('\\.(?!\\d*$)([^.]*)$', '')).toBe('not decided: unsupported');
});
