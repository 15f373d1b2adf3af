/**
 * Passages with their terms and vectors at some 10,000 a second: each word is analysed and embedded once, and a passage is
 * the sum of some of its words, much as the static model makes it.
 */
import { analyse } from '@quire/text/language/analyse';
import type { Embedder } from '@quire/models/embedder';
import type { TextSource } from './text.ts';

export interface Passage {
  text: string;
  terms: string;
  vector: Float32Array;
}

export const LANGUAGE = 'en';
/** One passage of the default size. */
const WORDS = 150;
/** What a document is about: every other word of it is one of these, so that its vector differs from others'. */
const TOPIC_WORDS = 40;
/** Enough words for a vector; all of them take five times as long. */
const SUMMED_EVERY = 5;

export class PassageSource {
  readonly #source: TextSource;
  readonly #terms: readonly string[];
  /** Of all words, one after another. */
  readonly #vectors: Float32Array;
  readonly #dimensions: number;

  private constructor(source: TextSource, vectors: readonly Float32Array[]) {
    this.#source = source;
    this.#dimensions = vectors[0]?.length ?? 0;
    this.#vectors = new Float32Array(vectors.length * this.#dimensions);
    for (const [index, vector] of vectors.entries()) this.#vectors.set(vector, index * this.#dimensions);
    this.#terms = source.vocabulary().map((word) => analyse(word, LANGUAGE).join(' '));
  }

  static async open(source: TextSource, embedder: Embedder): Promise<PassageSource> {
    return new PassageSource(source, await embedder.embedDocuments(source.vocabulary(), AbortSignal.timeout(600_000)));
  }

  /** The passages of one document. */
  document(passages: number): Passage[] {
    const words = this.#terms.length;
    const topic = Array.from({ length: TOPIC_WORDS }, () => Math.floor(this.#source.random() * words));
    return Array.from({ length: passages }, () => this.#passage(topic));
  }

  #passage(topic: readonly number[]): Passage {
    const indexes = Array.from({ length: WORDS }, (_, place) =>
      place % 2 === 0 ? (topic[Math.floor(this.#source.random() * topic.length)] ?? 0) : this.#source.index(),
    );
    const vocabulary = this.#source.vocabulary();
    return {
      text: `${indexes.map((index) => vocabulary[index]).join(' ')}.`,
      terms: indexes.map((index) => this.#terms[index]).join(' '),
      vector: this.#sum(indexes.filter((_, place) => place % SUMMED_EVERY === 0)),
    };
  }

  #sum(indexes: readonly number[]): Float32Array {
    const sum = new Float32Array(this.#dimensions);
    for (const index of indexes) {
      const start = index * sum.length;
      for (let at = 0; at < sum.length; at += 1) sum[at] = Number(sum[at]) + Number(this.#vectors[start + at]);
    }
    let squares = 0;
    for (const value of sum) squares += value * value;
    return sum.map((value) => value / Math.sqrt(squares));
  }
}
