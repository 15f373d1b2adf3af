import { describe, expect, test } from 'vitest';
import { answerDifferences, differences } from './match-answer.ts';
import { readExamples } from './read-page.ts';

const ID = '0199f3a0-0000-7000-8000-000000000001';
const OTHER_ID = '0199f3a0-0000-7000-8000-000000000002';

describe('differences', () => {
  test('ids, timestamps and numbers match any value of their kind', () => {
    const documented = { id: ID, at: '2026-01-01T00:00:00.000Z', size: 1 };
    expect(differences(documented, { id: OTHER_ID, at: '2026-02-03T04:05:06.789Z', size: 9 })).toEqual([]);
    expect(differences(documented, { id: 'x', at: null, size: '9' })).toEqual([
      `$.id: "x" is not "${ID}"`,
      '$.at: null is not "2026-01-01T00:00:00.000Z"',
      '$.size: "9" is not 1',
    ]);
  });

  test('other strings, booleans and null are compared', () => {
    expect(differences(['ready', true, null], ['failed', false, 0])).toEqual([
      '$[0]: "failed" is not "ready"',
      '$[1]: false is not true',
      '$[2]: 0 is not null',
    ]);
  });

  test('a missing and an undocumented member are differences, unless the page leaves members out', () => {
    expect(differences({ a: 'x' }, { b: 'x' })).toEqual([
      '$.b: not documented: "x"',
      '$.a: missing; the members are b',
    ]);
    expect(differences({ a: 'x', '…': '…' }, { a: 'x', b: 'y' })).toEqual([]);
  });

  test('an ellipsis matches the rest of a string or array', () => {
    expect(differences({ key: 'quire_…', items: ['a', '…'] }, { key: 'quire_1', items: ['a', 'b', 'c'] })).toEqual([]);
    expect(differences(['a'], ['a', 'b'])).toEqual(['$: 2 elements, 1 are documented: ["a","b"]']);
  });

  test('an ellipsis matches any number of lines', () => {
    expect(answerDifferences('ndjson', '{"seq":0}\n…\n{"ops":[]}\n', '{"seq":0}\n{}\n{}\n{"ops":[]}\n')).toEqual([]);
    expect(answerDifferences('text', '# Title\n…\nend', '# Title\nbody\nother')).toEqual([
      '$[0]: "other" is not "end"',
    ]);
  });
});

describe('readExamples', () => {
  test('a request has the answer that follows it', () => {
    const page = '```sh\ncurl a\n```\n\n```json\n{}\n```\n\n```console\nnpm start\n```\n\n```sh\ncurl b\n```\n';
    expect(readExamples(page)).toEqual([
      { line: 1, script: 'curl a\n', answer: { kind: 'json', text: '{}\n' } },
      { line: 13, script: 'curl b\n', answer: undefined },
    ]);
  });

  test('an answer without a request is an error', () => {
    expect(() => readExamples('```sh\ncurl a\n```\n```json\n{}\n```\n```json\n{}\n```\n')).toThrow('line 7');
  });
});
