import { describe, expect, test } from 'vitest';
import { checkCode } from './code.ts';
import { checkSubjects } from './commits.ts';
import { checkMarkdown } from './markdown.ts';

const inCode = (source: string, file = 'a.ts') =>
  checkCode(file, source).map(({ line, words, suggestion }) => `${line} ${words}: ${suggestion}`);
const words = (source: string, file = 'packages/a/src/a.ts') =>
  checkCode(file, source).map(({ line, words: at }) => `${line} ${at}`);
const inProse = (source: string) => checkMarkdown('a.md', source).map(({ line, words: at }) => `${line} ${at}`);

describe('comments', () => {
  test('a finding has its line, the words as written and a suggestion', () => {
    expect(inCode('const a = 1;\n/** Whether the model is to be had. */\n')).toEqual([
      '2 is to be: must be, is, will be',
      '2 to be had: available',
    ]);
  });

  test('openers without a subject are found at the start of every sentence', () => {
    expect(words('/** Of a copy after a change. */')).toEqual(['1 Of']);
    expect(words('/**\n * Returns the rows. What others\n * wrote is kept.\n */')).toEqual(['2 What']);
    expect(words('// Returns the part of a row that the index has.')).toEqual([]);
    expect(words('// What is the length of a row?')).toEqual([]);
    expect(words('// Of course this holds.')).toEqual([]);
    expect(words('// A sync is no work for a thread. It ends when there is no work.')).toEqual(['1 is no work']);
  });

  test('a phrase over a line end is found on the line where it begins', () => {
    expect(words('// The row is looked\n// at again.')).toEqual(['1 looked at']);
    expect(words('// The row is looked\n\n// at again.')).toEqual([]);
  });

  test('code spans and quoted words are not read', () => {
    expect(words('// Prefixes texts with `passage: ` and "whatever".')).toEqual([]);
  });

  test('identifiers, strings of tests and patterns are not read', () => {
    expect(words("const passage = 'nobody told me anything';\nconst told = /anew/;", 'a.test.ts')).toEqual([]);
  });

  test('a line with a comment has at most 120 columns, unless it ends in an address', () => {
    expect(words(`// ${'a'.repeat(117)}`)).toEqual([]);
    expect(words(`// ${'a'.repeat(118)}`)).toEqual(['1 121 columns']);
    expect(words(`// https://example.com/${'a'.repeat(118)}`)).toEqual([]);
  });
});

test('names of tests are read', () => {
  const source = "test.each([1])('a key that nobody has', () => {});\nit('asks again', () => {});";
  expect(words(source, 'a.test.ts')).toEqual(['1 nobody', '2 asks']);
});

test('messages of shipped code are read, with the few rules that hold for data too', () => {
  expect(words('throw new Error(`the model ${name} is not to be had here`);')).toEqual(['1 is not to be']);
  expect(words("const words = ['passage', 'stands'];")).toEqual([]);
  expect(words("const text = 'nobody was to be had there';", 'bench/a.ts')).toEqual([]);
});

test('prose of Markdown is read, code in it is not', () => {
  const page = [
    '# What is guaranteed?',
    '',
    '- **hit**: a passage',
    '- What others wrote',
    '',
    '| a | told |',
    '',
    '```sh',
    '# nobody',
    '```',
  ];
  expect(inProse(page.join('\n'))).toEqual(['3 passage', '4 What', '6 told']);
});

test('subjects of commits have an area and at most 72 characters', () => {
  const long = `docs: ${'a'.repeat(67)}`;
  expect(checkSubjects(`abc search: add a plan\ndef Add a plan\n123 ${long}\n`).map((each) => each.words)).toEqual([
    'Add a plan',
    '73 characters',
  ]);
});
