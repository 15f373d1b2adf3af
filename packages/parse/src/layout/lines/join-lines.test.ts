import { expect, it } from 'vitest';
import { joinText, Vocabulary } from './join-lines.ts';
import { lineOf } from './line.ts';
import type { Word } from '../page/page-content.ts';

const word = (text: string): Word => ({
  text,
  x0: 0,
  y0: 0,
  x1: 10,
  y1: 10,
  baseline: 8,
  size: 10,
  style: { name: 'Test', bold: false, italic: false, monospace: false },
  glued: false,
  angle: 0,
});

function vocabularyOf(...words: string[]): Vocabulary {
  const vocabulary = new Vocabulary();
  vocabulary.add(lineOf([...words, 'end'].map(word), 0));
  return vocabulary;
}

it.each([
  ['a docu-', 'ment', 'a document'],
  ['a self-', 'locking nut', 'a self-locking nut'],
  ['ANY DOCU-', 'MENT', 'ANY DOCUMENT'],
  ['of IEEE-', 'ISTO', 'of IEEE-ISTO'],
  ['the years 1998-', '2004', 'the years 1998-2004'],
  ['and/', 'or', 'and/or'],
  ['a clause –', 'so it goes', 'a clause – so it goes'],
  ['文字を', '読む', '文字を読む'],
  ['文字を、', '読む', '文字を、読む'],
  ['读完。', '「写」', '读完。「写」'],
  ['', 'start', 'start'],
])('joins %s and %s', (text, next, joined) => {
  expect(joinText(text, next, vocabularyOf('self-locking', 'document'))).toBe(joined);
});
