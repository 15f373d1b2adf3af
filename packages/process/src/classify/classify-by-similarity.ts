/** Classification without a language model: level by level, the document is compared with what the labels mean. */
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

/** Of a level's groups the likeliest are looked into. */
const OPENED_GROUPS = 20;

/** Best first. The leaves' scores sum to 1. */
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

/** A part is about a label when it has more than half of it, and clearly more than chance would give it. */
const MAJORITY = 0.5;
const OVER_CHANCE = 1.5;

/** The labels that some part of the document is about, at least the best one; a score is that of its best part. */
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
  const least = Math.max(MAJORITY, OVER_CHANCE / scored.length);
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
    .slice(0, OPENED_GROUPS)
    .map(({ label, score }) => ({ labels: label.children, share: score }));
  return opened.length === 0 ? leaves : [...leaves, ...(await descend(opened, scorer, signal))];
}
