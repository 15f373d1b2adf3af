/**
 * Scores sibling labels for a document as shares that sum to 1, by the similarity of meaning, from an embedder. Without
 * one, and a little in languages other than English, the label's words in the text count, weighted by their rarity
 * among the siblings (as in BM25).
 */
import { analyse } from '@quire/text/language/analyse';
import { BACKGROUND_TEXTS } from '@quire/models/background-texts';
import type { Embedder } from '@quire/models/embedder';
import { dot, embedTexts } from '../sentences/dense-vectors.ts';
import type { Digest } from './digest.ts';
import { meaningsOf, type Label } from './taxonomy.ts';

interface DigestFeatures {
  terms: ReadonlySet<string>;
  /** Vectors of the digest's texts; null without an embedder. */
  vectors: readonly Float32Array[] | null;
  language: string | null;
}

/**
 * Softmax temperature, in units of the distance between the labels, because models use different ranges of cosines. The
 * value is the most likely one for 382 labelled texts, over three models.
 */
const TEMPERATURE = 0.07;
/**
 * Weight of words beside an embedder in other languages than English, on which small models learned less. In English
 * they make the right labels less likely. Without an embedder only words count.
 */
const WORDS_SHARE = 0.05;
const WORDS_TEMPERATURE = 0.35;
/** Sentences in which a label is embedded, because models learn from sentences; languages without one use the label. */
const PROMPTS: Readonly<Record<string, string>> = {
  en: 'This text is about {}.',
  de: 'In diesem Text geht es um {}.',
  fr: 'Ce texte parle de {}.',
  es: 'Este texto trata de {}.',
  it: 'Questo testo parla di {}.',
  nl: 'Deze tekst gaat over {}.',
  pt: 'Este texto fala de {}.',
};
/** Lower bound of the distance between labels, for labels that a model considers the same. */
const MIN_SPREAD = 0.05;

export class LabelScorer {
  readonly #features: DigestFeatures;
  readonly #embedder: Embedder | null;
  /** Vectors by text. A member's text is scored with its group and once more by itself. */
  readonly #known: Map<string, Float32Array>;

  private constructor(features: DigestFeatures, embedder: Embedder | null, known: Map<string, Float32Array>) {
    this.#features = features;
    this.#embedder = embedder;
    this.#known = known;
  }

  /** Returns one scorer per digest; they share the vectors of the labels. */
  static async open(
    digests: readonly Digest[],
    language: string | null,
    embedder: Embedder | null,
    signal: AbortSignal,
  ): Promise<LabelScorer[]> {
    const all = digests.flatMap(({ texts }) => texts);
    const vectors = embedder === null ? null : await embedCentred(embedder, all, signal);
    const known = new Map<string, Float32Array>();
    let at = 0;
    return digests.map(({ texts }) => {
      const own = vectors?.slice(at, at + texts.length) ?? null;
      at += texts.length;
      const terms = new Set(texts.flatMap((text) => analyse(text, language)));
      return new LabelScorer({ terms, vectors: own, language }, embedder, known);
    });
  }

  /** Returns the scores in the order of the labels. */
  async score(labels: readonly Label[], signal: AbortSignal): Promise<number[]> {
    const words = wordScores(labels, this.#features);
    const { vectors } = this.#features;
    if (this.#embedder === null || vectors === null) return softmax(words.map((score) => score / WORDS_TEMPERATURE));
    const meanings = labels.map(meaningsOf);
    const texts = meanings.flat().flatMap(({ name, meaning }) => [this.#prompt(name), meaning]);
    await this.#read(this.#embedder, texts, signal);
    const own = meanings.flatMap(([first]) => this.#known.get(first?.meaning ?? '') ?? []);
    const spread = Math.max(MIN_SPREAD, 1 - meanSimilarity(own));
    const wordsShare = this.#features.language === 'en' ? 0 : WORDS_SHARE;
    return softmax(
      meanings.map((members, index) => {
        const near = Math.max(
          ...members.map(({ name, meaning }) => (this.#near(this.#prompt(name)) + this.#near(meaning)) / 2),
        );
        return (near / spread + wordsShare * (words[index] ?? 0)) / TEMPERATURE;
      }),
    );
  }

  async #read(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !this.#known.has(text));
    const vectors = await embedCentred(embedder, missing, signal);
    for (const [index, vector] of vectors.entries()) this.#known.set(missing[index] ?? '', vector);
  }

  #near(text: string): number {
    const vector = this.#known.get(text);
    const vectors = this.#features.vectors ?? [];
    if (vector === undefined) return 0;
    return average(vectors.map((each) => dot(each, vector)));
  }

  #prompt(name: string): string {
    return (PROMPTS[this.#features.language ?? ''] ?? '{}').replace('{}', () => name);
  }
}

const backgrounds = new WeakMap<Embedder, Float32Array>();

/** Returns the mean vector of texts on unrelated subjects, which are embedded once per model and process. */
async function backgroundOf(embedder: Embedder, signal: AbortSignal): Promise<Float32Array> {
  const known = backgrounds.get(embedder);
  if (known !== undefined) return known;
  const vectors = await embedTexts(embedder, BACKGROUND_TEXTS, signal);
  const mean = new Float32Array(embedder.dimensions);
  for (const vector of vectors)
    for (let at = 0; at < mean.length; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
  backgrounds.set(embedder, mean);
  return mean;
}

/**
 * Embeds texts without what the vectors of all texts have in common: a label that is near to every text would win too
 * often.
 */
async function embedCentred(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const background = await backgroundOf(embedder, signal);
  return (await embedTexts(embedder, texts, signal)).map((vector) =>
    normalised(vector.map((value, at) => value - (background[at] ?? 0))),
  );
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function wordScores(labels: readonly Label[], { terms, language }: DigestFeatures): number[] {
  const own = labels.map((label) => meaningsOf(label).map(({ meaning }) => new Set(analyse(meaning, language))));
  const holders = new Map<string, number>();
  for (const each of own)
    for (const term of new Set(each.flatMap((set) => [...set]))) holders.set(term, (holders.get(term) ?? 0) + 1);
  const score = (meaning: ReadonlySet<string>): number => {
    let found = 0;
    let all = 0;
    for (const term of meaning) {
      const weight = Math.log(1 + labels.length / (holders.get(term) ?? 1));
      all += weight;
      if (terms.has(term)) found += weight;
    }
    // Normalises by length, so that neither long nor short descriptions have an advantage.
    return all === 0 ? 0 : found / Math.sqrt(all);
  };
  return own.map((meanings) => Math.max(...meanings.map(score)));
}

function meanSimilarity(vectors: readonly Float32Array[]): number {
  if (vectors.length < 2) return 0;
  const [first] = vectors;
  const sum = new Float32Array(first?.length ?? 0);
  for (const vector of vectors) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  // The squared sum holds each pair twice and each vector with itself once.
  return (dot(sum, sum) - vectors.length) / (vectors.length * (vectors.length - 1));
}

const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

function softmax(logits: readonly number[]): number[] {
  const most = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - most));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
