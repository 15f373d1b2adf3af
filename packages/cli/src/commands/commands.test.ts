import { expect, test } from 'vitest';
import type { Document } from '@quire/client';
import { Known } from './add/plan.ts';
import { readQuestions } from './eval.ts';
import { ndcg, percentile, recall, reciprocalRank } from './eval-measures.ts';
import { eventData } from './mcp.ts';

test('nDCG is 1 for the ideal order and falls with the rank of the right document', () => {
  expect(ndcg([1, 0, 0], [1])).toBe(1);
  expect(ndcg([0, 1, 0], [1])).toBeCloseTo(1 / Math.log2(3), 10);
  expect(ndcg([1, 2], [2, 1])).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)), 10);
  expect(ndcg([0], [1])).toBe(0);
});

test('recall counts relevant documents, the reciprocal rank the first of them', () => {
  expect(recall([0, 1], [1, 1])).toBe(0.5);
  expect(reciprocalRank([0, 0, 1])).toBeCloseTo(1 / 3, 10);
  expect(reciprocalRank([0])).toBe(0);
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(3);
});

test('a faulty line of an evaluation file is named', () => {
  expect(readQuestions('{"query":"a","documents":["x",{"document":"y","grade":2}]}\n\n', 'e.jsonl')).toEqual([
    {
      query: 'a',
      grades: new Map([
        ['x', 1],
        ['y', 2],
      ]),
    },
  ]);
  expect(() => readQuestions('{"query":"a","documents":["x"]}\n{"query":1}', 'e.jsonl')).toThrow('e.jsonl, line 2');
  expect(() => readQuestions('{"query":"a","documents":[3]}', 'e.jsonl')).toThrow('line 1: a document is');
  expect(() => readQuestions('\n', 'e.jsonl')).toThrow('e.jsonl holds no question');
});

test('the data of server-sent events is read', () => {
  expect(eventData('event: message\ndata: {"id":1}\n\n: comment\n\ndata: {"a":\ndata: 2}\r\n\r\n')).toEqual([
    { id: 1 },
    { a: 2 },
  ]);
});

test('a file is added, replaced or left alone by its path and content', () => {
  const document = (id: string, sha256: string, path: string, status: Document['status'] = 'ready') =>
    ({ id, sha256, status, metadata: { path } }) as unknown as Document;
  const file = (relative: string) => ({ file: `/x/${relative}`, relative, sizeBytes: 1 });
  const known = new Known();
  for (const each of [
    document('1', 'aa', 'a.txt'),
    document('2', 'bb', 'b.txt'),
    document('3', 'cc', 'c.txt', 'failed'),
  ])
    known.add(each);
  const kinds = [
    ['a.txt', 'aa'],
    ['a.txt', 'a2'],
    ['moved.txt', 'bb'],
    ['c.txt', 'cc'],
    ['new.txt', 'dd'],
  ].map(([name = '', hash = '']) => known.changeOf(file(name), hash).kind);
  expect(kinds).toEqual(['unchanged', 'replace', 'unchanged', 'replace', 'add']);
  expect(known.goneFrom([file('a.txt'), file('b.txt')]).map(({ id }) => id)).toEqual(['3']);
});
