import { expect, test } from 'vitest';
import { batchOfRows, buffersOf, ownBatch } from './row-batch.ts';

test('copies a batch out of buffers that it shares with other rows', () => {
  const text = Buffer.from('....wingrotor blade....');
  const shared = new Float32Array([1, 2, 3, 4, 5, 6]);
  const batch = {
    rows: 2,
    chunkKeys: BigInt64Array.of(1n, 2n, 3n),
    documentKeys: BigInt64Array.of(4n, 5n, 6n),
    revisions: Int32Array.of(7, 8, 9),
    terms: text,
    termOffsets: Int32Array.of(4, 8, 19, 23),
    vectors: shared,
    rowIds: BigUint64Array.of(10n, 11n, 12n),
  };
  const own = ownBatch(batch, 2);
  expect(own).toEqual({
    rows: 2,
    chunkKeys: BigInt64Array.of(1n, 2n),
    documentKeys: BigInt64Array.of(4n, 5n),
    revisions: Int32Array.of(7, 8),
    terms: new Uint8Array(Buffer.from('wingrotor blade')),
    termOffsets: Int32Array.of(0, 4, 15),
    vectors: Float32Array.of(1, 2, 3, 4),
    rowIds: BigUint64Array.of(10n, 11n),
  });
  const copy = structuredClone(own, { transfer: buffersOf(own) });
  expect(Buffer.from(copy.terms).toString()).toBe('wingrotor blade');
  expect(own.terms.length).toBe(0);
  expect([text.toString(), shared.length]).toEqual(['....wingrotor blade....', 6]);
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
