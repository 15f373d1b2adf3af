import { expect, it } from 'vitest';
import type { ChunkPlaces } from '../../database/chunks/line-map.ts';
import type { SearchHit } from '../search/types.ts';
import { citationOf } from './citation.ts';

const hit: SearchHit = {
  documentId: 'd',
  documentTitle: null,
  nameHighlights: [],
  headingHighlights: [],
  documentName: 'hours.pdf',
  collectionId: 'c',
  chunkId: 'k',
  revision: 1,
  score: 1,
  relevance: 1,
  text: 'Open from nine to five. Closed on Sundays.',
  snippet: '',
  highlights: [],
  headings: [],
  boxes: [{ page: 1, bbox: [0.1, 0.1, 0.9, 0.9] }],
  blockIds: ['b1'],
  metadata: {},
};
const lines: ChunkPlaces['lines'] = [
  { start: 0, end: 14, page: 1, box: [0.1, 0.1, 0.9, 0.12] },
  { start: 15, end: 30, page: 1, box: [0.1, 0.13, 0.9, 0.15] },
  { start: 31, end: 42, page: 2, box: [0.1, 0.1, 0.5, 0.12] },
];

it('has the boxes of the lines that hold the snippet, on every page', () => {
  const citation = citationOf({ ...hit, places: { lines, parts: [] } }, 1, { start: 24, end: 42 });
  expect(citation.snippet).toBe('Closed on Sundays.');
  expect(citation.boxes).toEqual([
    { page: 1, bbox: [0.1, 0.13, 0.9, 0.15] },
    { page: 2, bbox: [0.1, 0.1, 0.5, 0.12] },
  ]);
});

it('has the boxes of the chunk if there is no line map', () => {
  expect(citationOf(hit, 1, { start: 0, end: 23 }).boxes).toEqual(hit.boxes);
});

it('has the ranges of the blocks that hold the snippet in a format without pages', () => {
  const parts = [
    { start: 0, end: 23, blockId: 'b4', offset: 100 },
    { start: 24, end: 42, blockId: 'b5', offset: null },
  ];
  const citation = citationOf({ ...hit, boxes: [], places: { lines: [], parts } }, 1, { start: 5, end: 42 });
  expect([citation.boxes, citation.blocks, citation.collectionId]).toEqual([
    [],
    [{ blockId: 'b4', start: 105, end: 123 }, { blockId: 'b5' }],
    'c',
  ]);
});
