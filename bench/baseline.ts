/**
 * Baselines of the comparisons, without any code of the service: BM25 for retrieval, the first words of its best
 * paragraph for questions, and the most frequent label for classification. Summaries have the beginning of the text,
 * measured beside them; extraction and statements have none.
 */
import { bm25 } from './bm25.ts';
import type { QuestionRow } from './compare-report.ts';
import { ndcg } from './ir-metrics.ts';
import { figuresOf, scoreAnswer } from './qa-score.ts';
import { readQaSet } from './qa-sets.ts';
import { readSet } from './retrieval-sets.ts';
import { sampled } from './samples.ts';
import { round } from './statistics.ts';

/** Number of words that the baseline quotes. */
const QUOTED_WORDS = 45;
const DEPTH = 10;

export interface Sampling {
  sample: number;
  seed: number;
}

export function retrievalBaseline(folder: string, { sample, seed }: Sampling): Record<string, number> {
  const { documents, queries: all, relevance } = readSet(folder);
  const queries = sampled(all, sample, seed);
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

export function questionsBaseline(folder: string, { sample, seed }: Sampling): Record<string, number> | undefined {
  const set = readQaSet(folder, sample, seed);
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

export function labelsBaseline(rows: readonly QuestionRow[]): Record<string, number> {
  const counts = new Map<unknown, number>();
  for (const { gold } of rows) counts.set(gold, (counts.get(gold) ?? 0) + 1);
  return { accuracy: round(Math.max(...counts.values()) / rows.length, 3) };
}
