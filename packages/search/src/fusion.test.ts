import { describe, expect, test } from 'vitest';
import { fuse, single, type RankedList, type ScoredHit } from './fusion.ts';

const dense: RankedList<ScoredHit> = {
  leg: 'dense',
  hits: [
    { chunkKey: 1n, score: 0.9 },
    { chunkKey: 2n, score: 0.7 },
    { chunkKey: 3n, score: 0.5 },
  ],
};
const sparse: RankedList<ScoredHit> = {
  leg: 'sparse',
  hits: [
    { chunkKey: 2n, score: 12 },
    { chunkKey: 4n, score: 3 },
  ],
};

describe('fuse', () => {
  test('minmax normalises cosines from the worst and BM25 from 0, and weights the sums', () => {
    const fused = fuse([dense, sparse], { method: 'minmax', denseWeight: 1, sparseWeight: 3 });
    expect(fused.map(({ hit, score }) => [hit.chunkKey, score])).toEqual([
      [2n, 0.25 * 0.5 + 0.75],
      [1n, 0.25],
      [4n, 0.75 * (3 / 12)],
      [3n, 0],
    ]);
  });

  test('rrf uses ranks alone, and a chunk that leads every list has 1', () => {
    const fused = fuse([dense, sparse], { method: 'rrf', denseWeight: 1, sparseWeight: 1 });
    expect(fused.map(({ hit, score }) => [hit.chunkKey, score])).toEqual([
      [2n, 0.5 * (61 / 62) + 0.5],
      [1n, 0.5],
      [4n, 0.5 * (61 / 62)],
      [3n, 0.5 * (61 / 63)],
    ]);
    const alone = { ...sparse, leg: 'dense' as const };
    expect(fuse([alone, sparse], { method: 'rrf', denseWeight: 2, sparseWeight: 5 })[0]).toMatchObject({
      hit: { chunkKey: 2n },
      score: 1,
    });
  });

  test('reports rank and raw score in each list', () => {
    const [first] = fuse([dense, sparse], { method: 'rrf', denseWeight: 1, sparseWeight: 1 });
    expect(first).toMatchObject({ dense: { rank: 2, score: 0.7 }, sparse: { rank: 1, score: 12 } });
    expect(fuse([sparse], { method: 'rrf', denseWeight: 1, sparseWeight: 1 })[0]).toMatchObject({ dense: null });
  });

  test.each(['rrf', 'minmax'] as const)('%s with a weight of 0 ranks as the other list does', (method) => {
    const fused = fuse([dense, sparse], { method, denseWeight: 0, sparseWeight: 1 });
    expect(fused.slice(0, 1).map(({ hit }) => hit.chunkKey)).toEqual([2n]);
    expect(fused.find(({ hit }) => hit.chunkKey === 1n)?.score).toBe(0);
  });

  test('gives 1 to each of equal scores and orders them by key', () => {
    const equals: RankedList<ScoredHit> = {
      leg: 'sparse',
      hits: [
        { chunkKey: 9n, score: 4 },
        { chunkKey: 5n, score: 4 },
      ],
    };
    expect(
      fuse([equals], { method: 'minmax', denseWeight: 0, sparseWeight: 1 }).map(({ hit, score }) => [
        hit.chunkKey,
        score,
      ]),
    ).toEqual([
      [5n, 1],
      [9n, 1],
    ]);
  });

  test('normalises lists of different vector spaces separately', () => {
    const other: RankedList<ScoredHit> = {
      leg: 'dense',
      hits: [
        { chunkKey: 7n, score: 0.3 },
        { chunkKey: 8n, score: 0.1 },
      ],
    };
    const fused = fuse([dense, other], { method: 'minmax', denseWeight: 1, sparseWeight: 0 });
    expect(fused.map(({ hit, score }) => [hit.chunkKey, score])).toEqual([
      [1n, 1],
      [7n, 1],
      [2n, 1 - (0.9 - 0.7) / (0.9 - 0.5)],
      [3n, 0],
      [8n, 0],
    ]);
  });
});

test('single keeps the scores of the leg', () => {
  expect(single([sparse])).toEqual([
    { hit: sparse.hits[0], score: 12, dense: null, sparse: { rank: 1, score: 12 } },
    { hit: sparse.hits[1], score: 3, dense: null, sparse: { rank: 2, score: 3 } },
  ]);
});

test('breaks ties of nearly equal scores by key', () => {
  const hits = [
    { chunkKey: 9n, score: 1.386_294_3 },
    { chunkKey: 4n, score: 1.386_294_1 },
  ];
  expect(single([{ leg: 'sparse', hits }]).map(({ hit }) => hit.chunkKey)).toEqual([4n, 9n]);
});
