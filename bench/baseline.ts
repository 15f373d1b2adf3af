/**
 * Baselines of the comparisons, without any code of the service: BM25 for retrieval, the first words of its best
 * paragraph for questions, and the most frequent label for classification. Extraction has none.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bm25 } from './bm25.ts';
import { ndcg } from './ir-metrics.ts';
import { figuresOf, scoreAnswer } from './qa-score.ts';
import { readQaSet } from './qa-sets.ts';
import { readSet } from './retrieval-sets.ts';

/** Number of words that the baseline quotes. */
const QUOTED_WORDS = 45;
const DEPTH = 10;

/** Returns the figures of the baseline under the names of the measurement; undefined for a kind without one. */
export function baselineOf(kind: string, folder: string, sample: number): Record<string, number> | undefined {
  if (kind === 'eval') return retrieval(folder);
  if (kind === 'qa') return questions(folder, sample);
  return kind === 'classification' ? labels(folder) : undefined;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

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
  return { 'sparse nDCG@10': rounded(gains.reduce((sum, gain) => sum + gain, 0) / gains.length) };
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
  const lines = readFileSync(path.join(folder, 'items.jsonl'), 'utf8').trim().split('\n');
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { label } = JSON.parse(line) as { label: string };
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return { accuracy: rounded(Math.max(...counts.values()) / lines.length) };
}
