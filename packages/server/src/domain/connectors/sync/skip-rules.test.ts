import { expect, test } from 'vitest';
import { skipReasons, type SkipRules } from './skip-rules.ts';

const RULES: SkipRules = { include: [], exclude: [], maxFileBytes: 100 };
const reason = (rules: Partial<SkipRules>, path: string, entry: object = {}): string | undefined =>
  skipReasons({ ...RULES, ...rules })({ path, version: 'v', ...entry })?.message;

test('patterns match whole paths: `*` within a folder, `**` across folders, sets and choices', () => {
  const matched = (pattern: string, ...paths: string[]): string[] =>
    paths.filter((path) => reason({ include: [pattern] }, path) === undefined);
  expect(matched('**/*.pdf', 'a.pdf', 'b/c.pdf', 'b/c.txt', 'x.pdf/y.txt')).toEqual(['a.pdf', 'b/c.pdf']);
  expect(matched('*.txt', 'a.txt', 'b/c.txt')).toEqual(['a.txt']);
  expect(matched('docs/**', 'docs/a.txt', 'docs/b/c.txt', 'other/docs/a.txt')).toEqual(['docs/a.txt', 'docs/b/c.txt']);
  expect(matched('{a,b}/?.txt', 'a/1.txt', 'b/2.txt', 'c/3.txt', 'a/12.txt')).toEqual(['a/1.txt', 'b/2.txt']);
  expect(matched('[!x]*.txt', 'a.txt', 'x.txt')).toEqual(['a.txt']);
});

test('the reason of a skipped file names the rule', () => {
  const skip = { type: 'robots', message: 'robots.txt forbids the page' } as const;
  expect([
    reason({ include: ['docs/**'] }, 'a.txt'),
    reason({ exclude: ['**/*.txt'] }, 'a.txt'),
    reason({ exclude: ['drafts/**'] }, 'a.txt', { skip }),
    reason({}, 'program.exe'),
    reason({}, 'a.txt', { sizeBytes: 101 }),
    reason({}, 'a.txt', { sizeBytes: 100 }),
    reason({}, 'page', { name: 'page.exe' }),
  ]).toEqual([
    'No pattern of `include` matches the path',
    'A pattern of `exclude` matches the path',
    'robots.txt forbids the page',
    'Files of this type are not supported',
    'The file has 101 bytes, the limit is 100',
    undefined,
    'Files of this type are not supported',
  ]);
});
