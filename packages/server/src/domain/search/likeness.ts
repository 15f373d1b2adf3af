/**
 * Likeness of texts by meaning, from the static models that are shipped. They cost microseconds a text and are
 * independent of the embedder of the collection.
 */
import type { Embedder } from '@quire/models/embedder';

/** The static models that are shipped. */
export interface StaticModels {
  /** Opens the model for texts in a language; null if there is none. */
  shippedFor(language: string): Promise<Embedder> | null;
}

/** Number of texts whose vectors are kept. */
const MAX_KEPT = 2_000;

/** The likeness of texts in each language with a static model. */
export class Likenesses {
  readonly #models: StaticModels;
  readonly #opened = new Map<string, Likeness>();

  constructor(models: StaticModels) {
    this.#models = models;
  }

  /** Returns null if no static model supports the language. */
  of(language: string | null): Likeness | null {
    if (language === null) return null;
    const known = this.#opened.get(language);
    const embedder = known === undefined ? this.#models.shippedFor(language) : null;
    if (embedder === null) return known ?? null;
    const opened = new Likeness(embedder);
    this.#opened.set(language, opened);
    return opened;
  }
}

export class Likeness {
  readonly #embedder: Promise<Embedder>;
  /** Vectors of texts: the parts of a question are compared with the same sentences. */
  readonly #known = new Map<string, Float32Array>();

  constructor(embedder: Promise<Embedder>) {
    this.#embedder = embedder;
  }

  /** Returns the cosine of the question with each text. */
  async ofTexts(question: string, texts: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const distinct = [...new Set(texts)];
    const [asked, ...others] = await this.#vectorsOf([question, ...distinct], signal);
    if (asked === undefined) return new Map();
    return new Map(distinct.map((text, index) => [text, cosine(asked, others[index])]));
  }

  /** Returns, for each word, the highest cosine with one of the other words; 0 without any. */
  async ofWords(words: readonly string[], others: readonly string[], signal: AbortSignal): Promise<number[]> {
    const vectors = await this.#vectorsOf([...words, ...new Set(others)], signal);
    const [own, rest] = [vectors.slice(0, words.length), vectors.slice(words.length)];
    return own.map((vector) => Math.max(0, ...rest.map((other) => cosine(vector, other))));
  }

  /** Returns the words that the model has a vector of their own for: they are words of its language. */
  async wordsAmong(words: readonly string[]): Promise<Set<string>> {
    const { tokenCounter } = await this.#embedder;
    return new Set(words.filter((word) => tokenCounter.count(word) === 1));
  }

  /** Embeds the texts that are not known, in one batch. */
  async #vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const unknown = [...new Set(texts.filter((text) => !this.#known.has(text)))];
    const embedder = await this.#embedder;
    const vectors = unknown.length === 0 ? [] : await embedder.embedDocuments(unknown, signal);
    const added = new Map(unknown.map((text, index) => [text, vectors[index] ?? NO_VECTOR]));
    const all = texts.map((text) => added.get(text) ?? this.#known.get(text) ?? NO_VECTOR);
    if (this.#known.size + added.size > MAX_KEPT) this.#known.clear();
    for (const [text, vector] of added) this.#known.set(text, vector);
    return all;
  }
}

const NO_VECTOR = new Float32Array();

/** Returns the cosine of two normalised vectors. */
function cosine(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b?.[index] ?? 0);
  return sum;
}
