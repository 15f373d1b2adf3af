/**
 * Scores the sentences of a document by centrality, position, words shared with title and headings, cue phrases,
 * periods that bind the parties of an agreement, and similarity to the requested focus.
 */
import type { Embedder } from '@quire/models/embedder';
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { analyse } from '@quire/text/language/analyse';
import { dot, embedTexts, meanOf } from '../sentences/dense-vectors.ts';
import type { Sentence } from '../sentences/document-sentences.ts';
import { centralities, similarity, termVectors, unit, type TermVector } from '../sentences/term-vector.ts';
import { bindingPeriod } from './binding-periods.ts';
import { hasCue } from './cue-phrases.ts';

export interface ScoredSentence {
  sentence: Sentence;
  /** Position in the document, from 0. */
  index: number;
  score: number;
  terms: TermVector;
  dense: Float32Array | null;
}

export interface SummaryInput {
  title: string | null;
  language: string | null;
  sentences: readonly Sentence[];
  /** Requested subject of the summary; null for the whole document. */
  focus: string | null;
}

const WEIGHTS = { centrality: 1, position: 0.5, headings: 0.3, cue: 0.3, period: 0.8, focus: 1 } as const;
/** Weight of the general score when a focus is given. */
const GENERAL_SHARE = 0.3;
/** Maximum number of sentences embedded, best by terms first; a model reads some hundreds per second. */
const MAX_EMBEDDED = 400;
/** Position scores of a section's first sentence and of the last paragraph. The document's first sentence scores 1. */
const OPENING = 0.4;
const CLOSING = 0.3;
/** Weight of dense vectors: static vectors rate small talk as central, terms do not. */
const DENSE_SHARE = 0.3;
const MIN_WORDS = 6;
const MAX_WORDS = 60;

export async function scoreSentences(
  input: SummaryInput,
  embedder: Embedder | null,
  turns: EventLoopTurns,
  signal: AbortSignal,
): Promise<ScoredSentence[]> {
  const { sentences, title, language, focus } = input;
  const context = [title ?? '', focus ?? ''].map((text) => analyse(text, language));
  const vectors = await termVectors([...sentences.map(({ terms }) => terms), ...context], turns);
  const [titleVector, focusVector] = vectors.splice(sentences.length);
  const scored = sentences.map((sentence, index) => ({ sentence, index, terms: vectors[index] ?? new Map() }));
  const base = normalised(await centralities(vectors, turns));
  const about = normalised(scored.map(({ terms }) => similarity(terms, focusVector ?? new Map())));
  const dense = await denseScores(scored, base, focus, embedder, signal);
  const last = sentences.at(-1)?.block;
  const found: ScoredSentence[] = [];
  for (const { sentence, index, terms } of scored) {
    const mix = (byWords: number, meant: number | undefined): number =>
      dense === null ? byWords : byWords * (1 - DENSE_SHARE) + (meant ?? 0) * DENSE_SHARE;
    const period = bindingPeriod(sentence.text);
    const general =
      WEIGHTS.centrality * mix(base[index] ?? 0, dense?.centrality.get(index)) +
      WEIGHTS.position * positionScore(sentence, index, sentences.length, last) +
      WEIGHTS.headings * headingScore(terms, titleVector, sentence, language) +
      WEIGHTS.cue * (hasCue(sentence.text, language) ? 1 : 0) +
      WEIGHTS.period * period;
    const asked = WEIGHTS.focus * mix(about[index] ?? 0, dense?.focus.get(index));
    const score = (focus === null ? general : GENERAL_SHARE * general + asked) * fitness(sentence, period === 1);
    found.push({ sentence, index, terms, dense: dense?.vectors.get(index) ?? null, score });
    await turns.pass();
  }
  return found;
}

interface DenseScores {
  vectors: Map<number, Float32Array>;
  centrality: Map<number, number>;
  focus: Map<number, number>;
}

/** Returns null without an embedder; scores are then based on terms only. */
async function denseScores(
  sentences: readonly { sentence: Sentence; index: number }[],
  base: readonly number[],
  focus: string | null,
  embedder: Embedder | null,
  signal: AbortSignal,
): Promise<DenseScores | null> {
  if (embedder === null) return null;
  const best = sentences.toSorted((a, b) => (base[b.index] ?? 0) - (base[a.index] ?? 0)).slice(0, MAX_EMBEDDED);
  const texts = best.map(({ sentence }) => sentence.text);
  const embedded = await embedTexts(embedder, focus === null ? texts : [...texts, focus], signal);
  const focusVector = focus === null ? undefined : embedded.pop();
  const centre = meanOf(embedded);
  const at = <T>(values: readonly T[]): Map<number, T> =>
    new Map(best.flatMap(({ index }, place) => (values[place] === undefined ? [] : [[index, values[place]] as const])));
  const central = normalised(embedded.map((vector) => (centre === undefined ? 0 : dot(vector, centre))));
  const near = normalised(embedded.map((vector) => (focusVector === undefined ? 0 : dot(vector, focusVector))));
  return { vectors: at(embedded), centrality: at(central), focus: at(near) };
}

/** Scales the values to 0..1. */
function normalised(values: readonly number[]): number[] {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const range = most - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}

function positionScore(sentence: Sentence, index: number, count: number, lastBlock: number | undefined): number {
  const lead = Math.exp(-index / Math.max(3, count * 0.05));
  const opens = sentence.opensSection && sentence.inBlock === 0 ? OPENING : 0;
  const closes = sentence.block === lastBlock && count > 3 ? CLOSING : 0;
  return Math.max(lead, opens, closes);
}

function headingScore(
  terms: TermVector,
  title: TermVector | undefined,
  sentence: Sentence,
  language: string | null,
): number {
  const shared = unit(
    new Map(sentence.headings.flatMap((heading) => analyse(heading, language)).map((term) => [term, 1])),
  );
  return Math.max(title === undefined ? 0 : similarity(terms, title), similarity(terms, shared));
}

/** Penalises fragments, questions and very long sentences, except those that bind the parties: they are often long. */
function fitness({ words, text }: Sentence, binds: boolean): number {
  const length = words < MIN_WORDS ? 0.3 : words > MAX_WORDS && !binds ? 0.7 : 1;
  return /[?？]["'”’)]*$/u.test(text) ? length * 0.6 : length;
}
