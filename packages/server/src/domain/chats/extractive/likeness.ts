/**
 * Likeness of texts by meaning, from the static model that is shipped. It is English, costs microseconds a text, and is
 * independent of the embedder of the collection.
 */
import type { Embedder } from '@quire/models/embedder';

export class Likeness {
  readonly #open: () => Promise<Embedder>;

  constructor(open: () => Promise<Embedder>) {
    this.#open = open;
  }

  /** Returns the cosine of the question with each text. */
  async ofTexts(question: string, texts: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const embedder = await this.#open();
    const distinct = [...new Set(texts)];
    const [asked, ...others] = await embedder.embedDocuments([question, ...distinct], signal);
    if (asked === undefined) return new Map();
    return new Map(distinct.map((text, index) => [text, cosine(asked, others[index])]));
  }

  /** Returns, for each word, the highest cosine with one of the other words; 0 without any. */
  async ofWords(words: readonly string[], others: readonly string[], signal: AbortSignal): Promise<number[]> {
    const embedder = await this.#open();
    const vectors = await embedder.embedDocuments([...words, ...new Set(others)], signal);
    const [own, rest] = [vectors.slice(0, words.length), vectors.slice(words.length)];
    return own.map((vector) => Math.max(0, ...rest.map((other) => cosine(vector, other))));
  }
}

/** Returns the cosine of two normalised vectors. */
function cosine(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b?.[index] ?? 0);
  return sum;
}
