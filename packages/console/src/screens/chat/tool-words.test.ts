import { expect, test } from 'vitest';
import { toolWords } from './tool-words.ts';

type Part = Parameters<typeof toolWords>[0];

const part = (change: Partial<Part>): Part => ({
  name: 'retrieve',
  status: 'done',
  resultCount: null,
  input: {},
  ...change,
});

test('a search says how many chunks it found', () => {
  expect(toolWords(part({ status: 'running' }))).toBe('Searching');
  expect(toolWords(part({ resultCount: 0 }))).toBe('Searched: 0 chunks');
  expect(toolWords(part({ resultCount: 1 }))).toBe('Searched: 1 chunk');
  expect(toolWords(part({ status: 'failed' }))).toBe('The search failed');
});

test('a search says what it looked for, so that several searches of one answer differ', () => {
  const input = { query: 'notice period' };
  const words = (['running', 'done', 'failed'] as const).map((status) =>
    toolWords(part({ status, input, resultCount: status === 'done' ? 8 : null })),
  );
  expect(words).toEqual([
    'Searching for “notice period”',
    'Searched for “notice period”: 8 chunks',
    'The search for “notice period” failed',
  ]);
});

test('a tool that returns a text has no number of chunks', () => {
  const words = (['running', 'done', 'failed'] as const).map((status) =>
    toolWords(part({ name: 'calculate', status })),
  );
  expect(words).toEqual(['Using calculate', 'Used calculate', 'calculate failed']);
});
