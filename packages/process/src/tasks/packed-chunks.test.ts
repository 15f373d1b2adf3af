import { expect, test } from 'vitest';
import { packChunks, unpackChunks } from './packed-chunks.ts';
import type { AnalysedChunk } from './sandbox-client.ts';

const chunk = (ordinal: number): AnalysedChunk => ({
  ordinal,
  text: `Text ${ordinal}`,
  headings: ['A'],
  blockIds: ['b1'],
  boxes: [{ page: 1, bbox: [0, 0, 1, 1] }],
  tokenCount: 2,
  terms: 'text',
});

test.each([0, 1, 200, 401])('%i chunks are the same after packing, in groups of 200', async (count) => {
  const chunks = Array.from({ length: count }, (_, at) => chunk(at));
  const groups = packChunks(chunks);
  expect(groups).toHaveLength(Math.ceil(count / 200));
  expect(await unpackChunks(groups, new AbortController().signal)).toEqual(chunks);
});
