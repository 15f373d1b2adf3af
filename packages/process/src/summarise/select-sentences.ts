/** Chooses sentences that say much and not the same (Carbonell and Goldstein, Maximal Marginal Relevance, 1998). */
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { dot } from '../sentences/dense-vectors.ts';
import { similarity } from '../sentences/term-vector.ts';
import type { ScoredSentence } from './score-sentences.ts';

/** How much the score counts; the rest is how new a sentence is beside those chosen. */
const RELEVANCE = 0.7;
/** More alike than that, one of the two is left out. */
const SAME = 0.8;
/** Below this share of the best one's score a sentence only fills the space that is left. */
const WORTH = 0.3;
/** The best ones are enough to choose from. */
const MAX_CANDIDATES = 1000;

/** At most `maxWords` in all, at least one sentence, in the order of the document. */
export async function selectSentences(
  scored: readonly ScoredSentence[],
  maxWords: number,
  turns: EventLoopTurns,
): Promise<ScoredSentence[]> {
  const ranked = scored.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  const best = ranked[0]?.score ?? 0;
  const candidates = ranked.filter(({ score }) => score >= best * WORTH);
  const nearest = new Map<ScoredSentence, number>();
  const chosen: ScoredSentence[] = [];
  let left = maxWords;
  const worth = (each: ScoredSentence): number =>
    (RELEVANCE * each.score) / (best || 1) - (1 - RELEVANCE) * (nearest.get(each) ?? 0);
  for (;;) {
    const fitting = candidates.filter(
      (each) => !chosen.includes(each) && each.sentence.words <= left && (nearest.get(each) ?? 0) < SAME,
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

/** When every sentence is longer than the summary may be. */
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
