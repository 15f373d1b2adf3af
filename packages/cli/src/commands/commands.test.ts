import path from 'node:path';
import { expect, test } from 'vitest';
import type { Document } from '@quire/client';
import { Known } from './add/plan.ts';
import { BoldLines } from './bold-lines.ts';
import { watchedBy } from './add/watch.ts';
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

test('lines that are bold as a whole are styled, however the text is cut', () => {
  const text = '**At eight**\n\n* a *list*\n**part** of a line\n2 ** 3\n**last**';
  for (const size of [1, 2, 3, 5, 100]) {
    const lines = new BoldLines((each) => `<${each}>`);
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += lines.push(text.slice(at, at + size));
    expect(shown + lines.end()).toBe('<At eight>\n\n* a *list*\n**part** of a line\n2 ** 3\n<last>');
  }
});

test('the data of server-sent events is read', () => {
  expect(eventData('event: message\ndata: {"id":1}\n\n: comment\n\ndata: {"a":\ndata: 2}\r\n\r\n')).toEqual([
    { id: 1 },
    { a: 2 },
  ]);
});

test('a file is added, replaced, moved or left alone by its path and content', () => {
  const document = (id: string, sha256: string, path: string, status: Document['status'] = 'ready') =>
    ({ id, sha256, status, metadata: { path } }) as unknown as Document;
  const file = (relative: string) => ({ file: `/x/${relative}`, relative, sizeBytes: 1 });
  const files = ['a.txt', 'c.txt', 'copy.txt', 'moved.txt', 'twice.txt', 'new.txt'].map(file);
  const known = new Known(files);
  for (const each of [
    document('1', 'aa', 'a.txt'),
    document('2', 'bb', 'b.txt'),
    document('3', 'cc', 'c.txt', 'failed'),
    document('4', 'ee', 'e.txt'),
  ])
    known.add(each);
  const kinds = [
    ['a.txt', 'aa'],
    ['a.txt', 'a2'],
    ['copy.txt', 'aa'],
    ['moved.txt', 'bb'],
    ['twice.txt', 'bb'],
    ['c.txt', 'cc'],
    ['new.txt', 'dd'],
  ].map(([name = '', hash = '']) => known.changeOf(file(name), hash).kind);
  expect(kinds).toEqual(['unchanged', 'replace', 'unchanged', 'move', 'unchanged', 'replace', 'add']);
  expect(known.gone().map(({ id }) => id)).toEqual(['4']);
});

test('a folder is watched as a whole, a file in its folder, a glob from its fixed part', async () => {
  const folder = path.dirname(import.meta.filename);
  expect(await watchedBy(folder)).toEqual({ folder, recursive: true });
  expect(await watchedBy(import.meta.filename)).toEqual({ folder, recursive: false, name: 'commands.test.ts' });
  expect(await watchedBy(`${folder}/*/plan.?s`)).toEqual({ folder, recursive: true });
  expect(await watchedBy('/*.md')).toEqual({ folder: '/', recursive: true });
  expect(await watchedBy('*.none')).toEqual({ folder: process.cwd(), recursive: true });
});
