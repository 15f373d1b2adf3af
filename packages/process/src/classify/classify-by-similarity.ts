/** Classifies without a language model: compares the document with the meaning of the labels, level by level. */
import type { Embedder } from '@quire/models/embedder';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { ContentError } from '@quire/blocks/content-error';
import type { RunDocument } from '../module.ts';
import { digestOf, partsOf } from './digest.ts';
import { LabelScorer } from './score-labels.ts';
import type { Label } from './taxonomy.ts';

export interface ScoredLabel {
  label: Label;
  score: number;
}

/** Maximum number of groups per level whose members are scored. */
const MAX_OPENED_GROUPS = 20;

/** Returns the leaves, best first. Their scores sum to 1. */
export async function classifyBySimilarity(
  labels: readonly Label[],
  { tree }: RunDocument,
  embedder: Embedder | null,
  signal: AbortSignal,
): Promise<ScoredLabel[]> {
  const digest = await digestOf(tree, new EventLoopTurns(signal));
  if (digest.texts.length === 0) throw noText();
  const [scorer] = await LabelScorer.open([digest], tree.language, embedder, signal);
  const leaves = scorer === undefined ? [] : await descend([{ labels, share: 1 }], scorer, signal);
  return leaves.toSorted((a, b) => b.score - a.score);
}

/** Minimum score of a label for a part of the document: an absolute majority, and this multiple of an even share. */
const MAJORITY = 0.5;
const MIN_OVER_EVEN_SHARE = 1.5;

/**
 * Returns the labels that at least one part of the document is about, and always the best one. A label's score is that
 * of its best part.
 */
export async function labelsOfParts(
  labels: readonly Label[],
  { tree }: RunDocument,
  embedder: Embedder | null,
  signal: AbortSignal,
): Promise<ScoredLabel[]> {
  const parts = await partsOf(tree, new EventLoopTurns(signal));
  if (parts.length === 0) throw noText();
  const best = new Map<Label, number>();
  for (const scorer of await LabelScorer.open(parts, tree.language, embedder, signal)) {
    for (const { label, score } of await descend([{ labels, share: 1 }], scorer, signal)) {
      best.set(label, Math.max(score, best.get(label) ?? 0));
    }
  }
  const scored = [...best].map(([label, score]) => ({ label, score })).toSorted((a, b) => b.score - a.score);
  const least = Math.max(MAJORITY, MIN_OVER_EVEN_SHARE / scored.length);
  return scored.filter(({ score }, index) => index === 0 || score >= least);
}

const noText = (): ContentError => new ContentError('no_text', 'The document holds no text to classify');

interface Group {
  labels: readonly Label[];
  share: number;
}

async function descend(groups: readonly Group[], scorer: LabelScorer, signal: AbortSignal): Promise<ScoredLabel[]> {
  const scored: ScoredLabel[] = [];
  for (const { labels, share } of groups) {
    const scores = await scorer.score(labels, signal);
    scored.push(...labels.map((label, index) => ({ label, score: share * (scores[index] ?? 0) })));
  }
  const leaves = scored.filter(({ label }) => label.children.length === 0);
  const opened = scored
    .filter(({ label }) => label.children.length > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_OPENED_GROUPS)
    .map(({ label, score }) => ({ labels: label.children, share: score }));
  return opened.length === 0 ? leaves : [...leaves, ...(await descend(opened, scorer, signal))];
}
