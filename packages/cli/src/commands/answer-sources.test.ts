import type { Citation } from '@quire/client';
import { expect, test } from 'vitest';
import { sources } from './answer-sources.ts';

const citation = (index: number, chunkId: string, page?: number): Citation => ({
  index,
  collectionId: 'c',
  documentId: 'd',
  documentName: 'lease.pdf',
  documentDeleted: false,
  snippet: `Sentence ${index}.`,
  chunkId,
  revision: 1,
  headings: ['Notice'],
  boxes: page === undefined ? [] : [{ page, bbox: [0, 0, 1, 1] }],
  blocks: [],
  spans: [],
});

test('quotes of one chunk share a line, in the order of their first numbers', () => {
  const citations = [citation(1, 'a'), citation(2, 'b'), citation(3, 'a')];
  expect(sources(citations, 'http://quire.test/')).toBe(
    `
[1] [3] lease.pdf › Notice
    http://quire.test/collections/c/documents/d?chunk=a
[2] lease.pdf › Notice
    http://quire.test/collections/c/documents/d?chunk=b
`,
  );
});

test('quotes of two pages of a chunk keep lines of their own', () => {
  const citations = [citation(1, 'a', 4), citation(2, 'a', 5)];
  expect(sources(citations, 'http://quire.test')).toBe(
    `
[1] lease.pdf › p. 4 › Notice
    http://quire.test/collections/c/documents/d?page=4&chunk=a
[2] lease.pdf › p. 5 › Notice
    http://quire.test/collections/c/documents/d?page=5&chunk=a
`,
  );
});

test('an answer without a source has no list', () => {
  expect(sources([], 'http://quire.test')).toBe('');
});
