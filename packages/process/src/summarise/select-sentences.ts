/**
 * Selects relevant sentences that do not repeat each other (Carbonell and Goldstein, Maximal Marginal Relevance, 1998).
 */
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { dot } from '../sentences/dense-vectors.ts';
import { similarity } from '../sentences/term-vector.ts';
import type { ScoredSentence } from './score-sentences.ts';

/** Weight of a sentence's score; the rest weighs its novelty beside the selected sentences. */
const RELEVANCE_WEIGHT = 0.7;
/** Similarity above which two sentences count as the same. */
const DUPLICATE_SIMILARITY = 0.8;
/** Share of the best score below which a sentence is not selected. */
const MIN_RELATIVE_SCORE = 0.3;
/** Maximum number of best-scored sentences considered. */
const MAX_CANDIDATES = 1000;

/** Returns at most `maxWords` words, but at least one sentence, in the order of the document. */
export async function selectSentences(
  scored: readonly ScoredSentence[],
  maxWords: number,
  turns: EventLoopTurns,
): Promise<ScoredSentence[]> {
  const ranked = scored.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  const best = ranked[0]?.score ?? 0;
  const candidates = ranked.filter(({ score }) => score >= best * MIN_RELATIVE_SCORE);
  const nearest = new Map<ScoredSentence, number>();
  const chosen: ScoredSentence[] = [];
  let left = maxWords;
  const worth = (each: ScoredSentence): number =>
    (RELEVANCE_WEIGHT * each.score) / (best || 1) - (1 - RELEVANCE_WEIGHT) * (nearest.get(each) ?? 0);
  for (;;) {
    const fitting = candidates.filter(
      (each) =>
        !chosen.includes(each) && each.sentence.words <= left && (nearest.get(each) ?? 0) < DUPLICATE_SIMILARITY,
    );
    const first = chosen.length === 0 && fitting.length === 0 ? shortest(candidates) : undefined;
    const next = first ?? maxBy(fitting, worth);
    if (next === undefined) break;
    chosen.push(next);
    left -= next.sentence.words;
    for (const each of candidates) nearest.set(each, Math.max(nearest.get(each) ?? 0, alike(each, next)));
    await turns.pass();
  }
  return chosen.toSorted((a, b) => a.index - b.index);
}

/** Returns the shortest sentence, for when every sentence exceeds the limit. */
const shortest = (candidates: readonly ScoredSentence[]): ScoredSentence | undefined =>
  maxBy(candidates, ({ sentence }) => -sentence.words);

function alike(a: ScoredSentence, b: ScoredSentence): number {
  const byTerms = similarity(a.terms, b.terms);
  return a.dense === null || b.dense === null ? byTerms : (byTerms + Math.max(0, dot(a.dense, b.dense))) / 2;
}

function maxBy<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  let best: T | undefined;
  let most = -Infinity;
  for (const item of items) {
    const worth = value(item);
    if (worth > most) [best, most] = [item, worth];
  }
  return best;
}
