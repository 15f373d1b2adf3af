/**
 * Generates chunks with terms and vectors, about 10,000 per second. Each word is analysed and embedded once; the vector
 * of a chunk is the sum of some of its words, similar to that of the static model.
 */
import { analyse } from '@quire/text/language/analyse';
import type { Embedder } from '@quire/models/embedder';
import type { TextSource } from './text.ts';

export interface GeneratedChunk {
  text: string;
  terms: string;
  vector: Float32Array;
}

export const LANGUAGE = 'en';
/** Number of words in a chunk of the default size. */
const WORDS = 150;
/** Number of topic words of a document. Every other word is one of them, so that vectors of documents differ. */
const TOPIC_WORDS = 40;
/** Only every fifth word is summed: enough for a vector, in a fifth of the time. */
const SUMMED_EVERY = 5;

export class ChunkSource {
  readonly #source: TextSource;
  readonly #terms: readonly string[];
  /** Vectors of all words, concatenated. */
  readonly #vectors: Float32Array;
  readonly #dimensions: number;

  private constructor(source: TextSource, vectors: readonly Float32Array[]) {
    this.#source = source;
    this.#dimensions = vectors[0]?.length ?? 0;
    this.#vectors = new Float32Array(vectors.length * this.#dimensions);
    for (const [index, vector] of vectors.entries()) this.#vectors.set(vector, index * this.#dimensions);
    this.#terms = source.vocabulary().map((word) => analyse(word, LANGUAGE).join(' '));
  }

  static async open(source: TextSource, embedder: Embedder): Promise<ChunkSource> {
    return new ChunkSource(source, await embedder.embedDocuments(source.vocabulary(), AbortSignal.timeout(600_000)));
  }

  /** Returns the chunks of one document. */
  document(chunks: number): GeneratedChunk[] {
    const words = this.#terms.length;
    const topic = Array.from({ length: TOPIC_WORDS }, () => Math.floor(this.#source.random() * words));
    return Array.from({ length: chunks }, () => this.#chunk(topic));
  }

  #chunk(topic: readonly number[]): GeneratedChunk {
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
