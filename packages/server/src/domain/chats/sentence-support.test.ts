import { expect, test } from 'vitest';
import type { Citation, MessagePart } from '../../database/tables.ts';
import { supportOf } from './sentence-support.ts';

const citation = (...spans: Citation['spans']): Citation => ({ spans }) as Citation;

/** Returns the sentences of the answer as text, with whether a citation supports them. */
function sentencesOf(text: string, cited: readonly string[], before: MessagePart[] = []): [string, boolean][] {
  const part = before.length;
  const spans = cited.map((words) => {
    const start = text.indexOf(words);
    return { part, start, end: start + words.length };
  });
  const support = supportOf({ parts: [...before, { type: 'text', text }], citations: [citation(...spans)] });
  expect(support.every((each) => each.part === part)).toBe(true);
  return support.map(({ start, end, supported }) => [text.slice(start, end), supported]);
}

test('each sentence is reported once, without marks, and is supported if a citation covers a part of it', () => {
  const text = 'The rent is due in May [1]. It may rise. [1][2] The cellar is dry.';
  expect(sentencesOf(text, ['The rent is due in May', 'It may rise'])).toEqual([
    ['The rent is due in May [1].', true],
    ['It may rise.', true],
    ['The cellar is dry.', false],
  ]);
});

test('markers of lists are no part of a sentence, and headings and rules are no sentences', () => {
  const text = '## Costs\n\n- Rent: 900 EUR [1]\n- Heating: 80 EUR\n\n---\n\n1. Water is free.';
  expect(sentencesOf(text, ['Rent: 900 EUR'])).toEqual([
    ['Rent: 900 EUR', true],
    ['Heating: 80 EUR', false],
    ['Water is free.', false],
  ]);
});

test('a line that continues on the next line is one sentence with it', () => {
  expect(sentencesOf('lease.csv: month | rent\nMay | 900 [1]', ['May | 900'])).toEqual([
    ['lease.csv: month | rent\nMay | 900', true],
  ]);
});

test('only text parts have sentences, and their offsets are of their own part', () => {
  const before: MessagePart[] = [{ type: 'reasoning', text: 'I shall search. Then I answer.' }];
  expect(sentencesOf('家賃は五月に払う。猫もいる。', ['家賃は五月に払う'], before)).toEqual([
    ['家賃は五月に払う。', true],
    ['猫もいる。', false],
  ]);
});
