/** Builds rows whose words, documents and three-dimensional vectors are derived from their keys. */
import type { IndexRow } from '../../search-index.ts';

const WORDS = ['wing', 'lift', 'drag', 'Auftrieb', '日本'];

export const rowOf = (key: number): IndexRow => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(key % 50),
  revision: 1 + (key % 3),
  terms: Array.from({ length: 1 + (key % 7) }, (_, at) => WORDS[(key * 3 + at) % 5]).join(' '),
  vector: Float32Array.of(Math.sin(key), Math.cos(key * 1.7), (key % 11) - 5),
});
