/**
 * Sketches of vectors: after a rotation, a bit for each dimension says on which side of the mean it lies. With the query in
 * 3 bits a dimension they order vectors well enough to find those whose exact product is worth computing (after RaBitQ,
 * https://arxiv.org/abs/2405.12497).
 */
import { Rotation } from './rotation.ts';
import { PLANES, SCRATCH } from './vector-kernels.ts';

/** The largest code of a query's dimension: two's complement in as many bits as there are planes. */
const MAX_CODE = 2 ** (PLANES - 1) - 1;

export class Sketcher {
  readonly #rotation: Rotation;
  readonly #centre: Float32Array;
  readonly #rotated: Float32Array;

  /** @param centre mean of the vectors, as long as they are stored. */
  constructor(centre: Float32Array) {
    this.#rotation = new Rotation(centre.length);
    this.#centre = centre;
    this.#rotated = new Float32Array(centre.length);
  }

  /** One bit a dimension, lowest first, in words of 16. */
  write(row: Int16Array, words: Uint16Array, from: number): void {
    const rotated = this.#rotated;
    for (let at = 0; at < rotated.length; at += 1) rotated[at] = (row[at] ?? 0) - (this.#centre[at] ?? 0);
    this.#rotation.apply(rotated);
    for (let start = 0; start < rotated.length; start += 16) {
      let word = 0;
      for (let bit = 0; bit < 16; bit += 1) if ((rotated[start + bit] ?? 0) > 0) word |= 1 << bit;
      words[from + (start >> 4)] = word;
    }
  }

  /** The query as `PLANES` bit planes by word of 64 dimensions, to where the kernel reads them. */
  writeQuery(query: Int16Array, words: Uint16Array): void {
    const rotated = this.#rotated;
    rotated.set(query);
    this.#rotation.apply(rotated);
    const largest = rotated.reduce((max, value) => Math.max(max, Math.abs(value)), 1);
    const start = SCRATCH.planes / 2;
    words.fill(0, start, start + (rotated.length / 16) * PLANES);
    for (const [at, value] of rotated.entries()) {
      const code = Math.round((value / largest) * MAX_CODE);
      const word = start + (at >> 6) * 4 * PLANES + ((at & 63) >> 4);
      for (let plane = 0; plane < PLANES; plane += 1) {
        const bit = ((code >> plane) & 1) << (at & 15);
        words[word + plane * 4] = (words[word + plane * 4] ?? 0) | bit;
      }
    }
  }
}
