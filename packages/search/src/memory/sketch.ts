/**
 * Binary quantization of vectors: after a rotation, one bit per dimension shows on which side of the mean it is. The
 * query becomes look-up tables with the contribution of each group of four bits, whose sums rank the sketches well
 * enough to choose candidates for exact scores (after RaBitQ, https://arxiv.org/abs/2405.12497).
 */
import { Rotation } from './rotation.ts';
import { SCRATCH } from './scratch.ts';
import { BLOCK_ROWS, MAX_TABLE_VALUE } from './sketch-layout.ts';

/** Number of bits that index one look-up table. */
const BITS = 4;
const TABLE_VALUES = 2 ** BITS;

/** Returns the exclusive upper bound of sketch scores. */
export const scoresEnd = (dimensions: number): number => (dimensions / BITS) * MAX_TABLE_VALUE + 1;

export class Sketcher {
  readonly #rotation: Rotation;
  readonly #centre: Float32Array;
  readonly #rotated: Float32Array;

  /** @param centre mean of the stored vectors, padding included. */
  constructor(centre: Float32Array) {
    this.#rotation = new Rotation(centre.length);
    this.#centre = centre;
    this.#rotated = new Float32Array(centre.length);
  }

  get centre(): Float32Array {
    return this.#centre;
  }

  /** Writes one bit per dimension, lowest first; consecutive bytes are `BLOCK_ROWS` apart. */
  write(row: Int16Array, bytes: Uint8Array, from: number): void {
    const rotated = this.#rotated;
    for (let at = 0; at < rotated.length; at += 1) rotated[at] = (row[at] ?? 0) - (this.#centre[at] ?? 0);
    this.#rotation.apply(rotated);
    for (let start = 0; start < rotated.length; start += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit += 1) if ((rotated[start + bit] ?? 0) > 0) byte |= 1 << bit;
      bytes[from + (start >> 3) * BLOCK_ROWS] = byte;
    }
  }

  /**
   * Writes the query's look-up tables to where the kernels read them. An entry is the sum over the dimensions that
   * agree with its bits, scaled so that the largest entry is `MAX_TABLE_VALUE`.
   */
  writeQuery(query: Int16Array, bytes: Uint8Array): void {
    const rotated = this.#rotated;
    rotated.set(query);
    this.#rotation.apply(rotated);
    let widest = 1;
    for (let start = 0; start < rotated.length; start += BITS) widest = Math.max(widest, spread(rotated, start));
    const scale = MAX_TABLE_VALUE / widest;
    for (let start = 0; start < rotated.length; start += BITS) {
      const table = SCRATCH.tables + (start / BITS) * TABLE_VALUES;
      for (let bits = 0; bits < TABLE_VALUES; bits += 1) {
        let sum = 0;
        for (let bit = 0; bit < BITS; bit += 1) {
          const value = rotated[start + bit] ?? 0;
          // A set bit agrees with a positive value, a clear bit with a negative one.
          if ((bits >> bit) % 2 === 1 ? value > 0 : value < 0) sum += Math.abs(value);
        }
        bytes[table + bits] = Math.round(sum * scale);
      }
    }
  }
}

/** Returns the difference between a table's largest and smallest entry. */
function spread(rotated: Float32Array, start: number): number {
  let sum = 0;
  for (let at = start; at < start + BITS; at += 1) sum += Math.abs(rotated[at] ?? 0);
  return sum;
}
