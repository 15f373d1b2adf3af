/**
 * Scores sibling labels for a document as shares that sum to 1, by the similarity of meaning, from an embedder. Without
 * one, and a little in languages other than English, the label's words in the text count, weighted by their rarity
 * among the siblings (as in BM25).
 */
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { analyse } from '@quire/text/language/analyse';
import { BACKGROUND_TEXTS } from '@quire/models/background-texts';
import type { Embedder } from '@quire/models/embedder';
import { dot, embedTexts } from '../sentences/dense-vectors.ts';
import type { Digest } from './digest.ts';
import { LabelWords } from './label-words.ts';
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
  readonly #shared: SharedLabels;

  private constructor(features: DigestFeatures, embedder: Embedder | null, shared: SharedLabels) {
    this.#features = features;
    this.#embedder = embedder;
    this.#shared = shared;
  }

  /** Returns one scorer per digest; they share the words and the vectors of the labels. */
  static async open(
    digests: readonly Digest[],
    language: string | null,
    embedder: Embedder | null,
    signal: AbortSignal,
  ): Promise<LabelScorer[]> {
    const all = digests.flatMap(({ texts }) => texts);
    const turns = new EventLoopTurns(signal);
    const vectors = embedder === null ? null : await embedCentred(embedder, all, turns, signal);
    const shared = { words: new LabelWords(language, turns), vectors: new Map<string, Float32Array>(), turns };
    let at = 0;
    return digests.map(({ texts }) => {
      const own = vectors?.slice(at, at + texts.length) ?? null;
      at += texts.length;
      const terms = new Set(texts.flatMap((text) => analyse(text, language)));
      return new LabelScorer({ terms, vectors: own, language }, embedder, shared);
    });
  }

  /** Returns the scores in the order of the labels. */
  async score(labels: readonly Label[], signal: AbortSignal): Promise<number[]> {
    const { words: labelWords, turns } = this.#shared;
    const words = await labelWords.scores(labels, this.#features.terms);
    const { vectors } = this.#features;
    if (this.#embedder === null || vectors === null) return softmax(words.map((score) => score / WORDS_TEMPERATURE));
    const meanings = labels.map(meaningsOf);
    const texts = meanings.flat().flatMap(({ name, meaning }) => [this.#prompt(name), meaning]);
    await this.#read(this.#embedder, texts, signal);
    const own = meanings.flatMap(([first]) => this.#shared.vectors.get(first?.meaning ?? '') ?? []);
    const spread = Math.max(MIN_SPREAD, 1 - meanSimilarity(own));
    const wordsShare = this.#features.language === 'en' ? 0 : WORDS_SHARE;
    const logits: number[] = [];
    for (const [index, members] of meanings.entries()) {
      const near = Math.max(
        ...members.map(({ name, meaning }) => (this.#near(this.#prompt(name)) + this.#near(meaning)) / 2),
      );
      logits.push((near / spread + wordsShare * (words[index] ?? 0)) / TEMPERATURE);
      await turns.pass();
    }
    return softmax(logits);
  }

  async #read(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !this.#shared.vectors.has(text));
    const vectors = await embedCentred(embedder, missing, this.#shared.turns, signal);
    for (const [index, vector] of vectors.entries()) this.#shared.vectors.set(missing[index] ?? '', vector);
  }

  #near(text: string): number {
    const vector = this.#shared.vectors.get(text);
    const vectors = this.#features.vectors ?? [];
    if (vector === undefined) return 0;
    return average(vectors.map((each) => dot(each, vector)));
  }

  #prompt(name: string): string {
    return (PROMPTS[this.#features.language ?? ''] ?? '{}').replace('{}', () => name);
  }
}

/** The words and vectors of labels, for all scorers of one document. */
interface SharedLabels {
  words: LabelWords;
  /** Vectors by text. A member's text is scored with its group and once more by itself. */
  vectors: Map<string, Float32Array>;
  turns: EventLoopTurns;
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
  turns: EventLoopTurns,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const background = await backgroundOf(embedder, signal);
  const vectors = await embedTexts(embedder, texts, signal);
  for (const [index, vector] of vectors.entries()) {
    vectors[index] = normalised(vector.map((value, at) => value - (background[at] ?? 0)));
    await turns.pass();
  }
  return vectors;
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
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
