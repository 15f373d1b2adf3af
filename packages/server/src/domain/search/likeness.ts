/**
 * Likeness of texts by meaning, from the models that are shipped, independent of the embedder of the collection. Static
 * models cost microseconds a text; transformers take 5 to 15 ms a sentence and are more precise.
 */
import { setMaxListeners } from 'node:events';
import { TextTooLongError, type Embedder } from '@quire/models/embedder';
import type { ComparingTransformer } from '@quire/models/local/local-embedders';

/** The models that are shipped. */
export interface ShippedModels {
  /** Opens the static model for texts in a language; null if there is none. */
  shippedFor(language: string): Promise<Embedder> | null;
  /** Opens the transformer for texts in a language; null if there is none. */
  transformerFor(language: string): ComparingTransformer | null;
}

/** Number of texts whose vectors are kept. */
const MAX_KEPT = 2_000;

/** The likeness of texts in each language with a model. */
export class Likenesses {
  readonly #models: ShippedModels;
  readonly #onUnavailable: (error: unknown) => void;
  readonly #opened = new Map<string, Likeness>();
  readonly #precise = new Map<string, Promise<Likeness | null>>();

  /**
   * `onUnavailable` is called once for each language whose transformer cannot be loaded; without it, the first user
   * fails.
   */
  constructor(models: ShippedModels, onUnavailable: (error: unknown) => void = rethrow) {
    this.#models = models;
    this.#onUnavailable = onUnavailable;
  }

  /** Returns the likeness by a static model, null if none supports the language. */
  of(language: string | null): Likeness | null {
    if (language === null) return null;
    const known = this.#opened.get(language);
    const embedder = known === undefined ? this.#models.shippedFor(language) : null;
    if (embedder === null) return known ?? null;
    const opened = new Likeness(embedder, { embed: embedTogether, unrelated: 0 });
    this.#opened.set(language, opened);
    return opened;
  }

  /**
   * Returns the likeness by a transformer, null if none supports the language or it cannot be loaded. The first call
   * loads the model.
   */
  async preciseOf(language: string | null): Promise<Likeness | null> {
    if (language === null) return null;
    const opening = this.#precise.get(language) ?? this.#openPrecise(language);
    this.#precise.set(language, opening);
    return opening;
  }

  async #openPrecise(language: string): Promise<Likeness | null> {
    const transformer = this.#models.transformerFor(language);
    if (transformer === null) return null;
    const { embedder, unrelated } = transformer;
    try {
      await embedder;
    } catch (error) {
      this.#onUnavailable(error);
      return null;
    }
    return new Likeness(embedder, { embed: embedBeginnings, unrelated });
  }
}

function rethrow(error: unknown): never {
  throw error;
}

type Embed = (embedder: Embedder, texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

const embedTogether: Embed = (embedder, texts, signal) => embedder.embedDocuments(texts, signal);

/** Number of characters of a text that a transformer reads. */
const MAX_LENGTH = 500;

/**
 * Embeds a text, or as much of it as the model reads: a text has more tokens than characters if Unicode's compatible
 * forms of its characters are longer ("…" is "...").
 */
async function embedBeginning(embedder: Embedder, text: string, signal: AbortSignal): Promise<Float32Array> {
  try {
    return await embedder.embedQuery(text, signal);
  } catch (error) {
    if (!(error instanceof TextTooLongError)) throw error;
    return embedBeginning(embedder, text.slice(0, text.length / 2), signal);
  }
}

/** A user waits for the vectors, so they have the priority of queries. */
const embedBeginnings: Embed = (embedder, texts, signal) => {
  // Each text listens to this signal; Node warns above ten listeners.
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return Promise.all(texts.map((text) => embedBeginning(embedder, text.slice(0, MAX_LENGTH), own)));
};

interface LikenessOptions {
  embed: Embed;
  /** Cosine at which texts count as unrelated: their likeness is 0. */
  unrelated: number;
}

/** Compares texts by the cosines of their vectors, scaled so that 0 means unrelated and 1 means equal. */
export class Likeness {
  readonly #embedder: Promise<Embedder>;
  readonly #embed: Embed;
  readonly #unrelated: number;
  /** Vectors of texts: the parts of a question are compared with the same sentences. */
  readonly #known = new Map<string, Float32Array>();

  constructor(embedder: Promise<Embedder>, { embed, unrelated }: LikenessOptions) {
    this.#embedder = embedder;
    this.#embed = embed;
    this.#unrelated = unrelated;
  }

  /** Returns the likeness (at most 1) of the question and each text. */
  async ofTexts(question: string, texts: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const distinct = [...new Set(texts)];
    const [asked, ...others] = await this.#vectorsOf([question, ...distinct], signal);
    if (asked === undefined) return new Map();
    return new Map(distinct.map((text, index) => [text, this.#scaled(cosine(asked, others[index]))]));
  }

  #scaled(value: number): number {
    return (value - this.#unrelated) / (1 - this.#unrelated);
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
    const vectors = unknown.length === 0 ? [] : await this.#embed(embedder, unknown, signal);
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
