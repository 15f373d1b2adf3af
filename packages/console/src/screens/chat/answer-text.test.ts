import { expect, test } from 'vitest';
import { lastSentence, markedText } from './answer-text.ts';

const citation = (index: number, end: number, part = 0) => ({ index, spans: [{ part, start: 0, end }] }) as never;

test('citations are written at the ends of their spans, those of one place in their order', () => {
  const message = { citations: [citation(1, 5), citation(2, 5), citation(3, 11), citation(4, 3, 1)], support: [] };
  expect(markedText('First Second.', 0, message)).toBe('First[1](#source-1)[2](#source-2) Secon[3](#source-3)d.');
});

test('marks that the text has become links, also where the sentence continues', () => {
  const message = { citations: [citation(1, 4)], support: [] };
  expect(markedText('Yes. [1] And [2].', 0, message)).toBe('Yes. [1](#source-1) And [2].');
});

test('an unsupported sentence ends with a mark, before the space that follows', () => {
  const support = [
    { part: 0, start: 0, end: 4, supported: false },
    { part: 0, start: 4, end: 6, supported: true },
  ];
  expect(markedText('No. Yes.', 0, { citations: [citation(1, 8)], support })).toBe(
    'No.[?](#unsupported) Yes.[1](#source-1)',
  );
});

test('an answer without any citation, such as a refusal, has no marks at its sentences', () => {
  const support = [{ part: 0, start: 0, end: 3, supported: false }];
  expect(markedText('No.', 0, { citations: [], support })).toBe('No.');
});

test('the last complete sentence is the one that is read out', () => {
  expect(lastSentence('It ends in May. Notice is')).toBe('It ends in May.');
  expect(lastSentence('Notice')).toBe('');
});
