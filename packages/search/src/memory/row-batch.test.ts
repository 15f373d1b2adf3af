import { expect, test } from 'vitest';
import { batchOfRows, buffersOf } from './row-batch.ts';

test('transfers the buffers of a batch', () => {
  const batch = batchOfRows(
    [{ chunkKey: 1n, documentKey: 2n, revision: 3, terms: 'wing', vector: Float32Array.of(1) }],
    1,
  );
  const copy = structuredClone(batch, { transfer: buffersOf(batch) });
  expect([Buffer.from(copy.terms).toString(), [...(copy.vectors ?? [])]]).toEqual(['wing', [1]]);
  expect([batch.terms.length, batch.chunkKeys.length, batch.vectors?.length]).toEqual([0, 0, 0]);
});

test('builds a batch from rows', () => {
  const row = { chunkKey: 1n, documentKey: 2n, revision: 3 };
  const batch = batchOfRows(
    [
      { ...row, terms: 'é', vector: Float32Array.of(1, 2) },
      { ...row, terms: '', vector: Float32Array.of(3, 4) },
      { ...row, terms: 'wing', vector: Float32Array.of(5, 6) },
    ],
    2,
  );
  expect(batch).toMatchObject({ rows: 3, termOffsets: Int32Array.of(0, 2, 2, 6) });
  expect(batch.vectors).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  expect(batchOfRows([{ ...row, terms: 'wing' }], null).vectors).toBe(null);
});
