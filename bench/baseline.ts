/**
 * Baselines of the comparisons, without any code of the service: BM25 for retrieval, the first words of its best
 * paragraph for questions, and the most frequent label for classification. Extraction has none.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { bm25 } from './bm25.ts';
import { ndcg } from './ir-metrics.ts';
import { readJsonLines } from './json-lines.ts';
import { figuresOf, scoreAnswer } from './qa-score.ts';
import { readQaSet } from './qa-sets.ts';
import { readSet } from './retrieval-sets.ts';
import { round } from './statistics.ts';

/** Number of words that the baseline quotes. */
const QUOTED_WORDS = 45;
const DEPTH = 10;

/** Returns the figures of the baseline under the names of the measurement; undefined for a kind without one. */
export function baselineOf(kind: string, folder: string, sample: number): Record<string, number> | undefined {
  if (kind === 'eval') return retrieval(folder);
  if (kind === 'qa') return questions(folder, sample);
  return kind === 'classification' && existsSync(folder) ? labels(folder) : undefined;
}

function retrieval(folder: string): Record<string, number> {
  const { documents, queries, relevance } = readSet(folder);
  const rank = bm25(documents.map(({ title = '', text }) => `${title}\n${text}`));
  const gains = queries.map(({ _id, text }) =>
    ndcg(
      rank(text, DEPTH).flatMap((at) => documents[at]?._id ?? []),
      relevance.get(_id) ?? new Map<string, number>(),
      DEPTH,
    ),
  );
  return { 'sparse nDCG@10': round(gains.reduce((sum, gain) => sum + gain, 0) / gains.length, 3) };
}

function questions(folder: string, sample: number): Record<string, number> | undefined {
  const set = readQaSet(folder, sample, 1);
  if (set === undefined) return undefined;
  const paragraphs = set.documents.flatMap(({ _id, title = '', text }) =>
    text.split(/\n\s*\n/u).map((paragraph) => ({ _id, title, paragraph })),
  );
  const rank = bm25(paragraphs.map(({ title, paragraph }) => `${title}\n${paragraph}`));
  const scores = set.questions.map((question) => {
    const found = paragraphs[rank(question.question, 1)[0] ?? -1];
    const snippet = found?.paragraph.split(/\s+/u).slice(0, QUOTED_WORDS).join(' ') ?? '';
    const citations = found === undefined ? [] : [{ evalId: found._id, snippet }];
    const counts = { totalMs: 0, inputTokens: 0, outputTokens: 0 };
    return scoreAnswer(question, { status: 'done', text: snippet, citations, ...counts });
  });
  const { 'p95 ms': _, ...figures } = figuresOf(scores);
  return figures;
}

function labels(folder: string): Record<string, number> {
  const items = readJsonLines<{ label: string }>(path.join(folder, 'items.jsonl'));
  const counts = new Map<string, number>();
  for (const { label } of items) counts.set(label, (counts.get(label) ?? 0) + 1);
  return { accuracy: round(Math.max(...counts.values()) / items.length, 3) };
}
