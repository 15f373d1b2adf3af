import { expect, test } from 'vitest';
import { readQuestions, writeQuestions } from './question-file.ts';

test('questions are read as they are written, and a line that is none is named', () => {
  const questions = [{ query: 'notice', documents: ['lease.txt', { document: 'b', grade: 2 }] }];
  expect(readQuestions(writeQuestions(questions))).toEqual(questions);
  expect(() => readQuestions('{"query": "a", "documents": ["b"]}\n{}')).toThrow('Line 2: expected');
});

test('lines of a table have a question and documents, also in quotes, and one question may have several lines', () => {
  const text = 'query,document\n"Rent, how high?",lease.pdf\nnotice;a.md;b.md\r\n\nRent\tplan "b".csv\nnotice,c.md\n';
  expect(() => readQuestions(text)).toThrow('Line 5: expected');
  expect(readQuestions(text.replace('Rent\tplan "b".csv', 'Rent\t"plan ""b"".csv"'))).toEqual([
    { query: 'Rent, how high?', documents: ['lease.pdf'] },
    { query: 'notice', documents: ['a.md', 'b.md', 'c.md'] },
    { query: 'Rent', documents: ['plan "b".csv'] },
  ]);
  expect(() => readQuestions('Only a question')).toThrow('Line 1: expected a question, a comma, and a document');
});
