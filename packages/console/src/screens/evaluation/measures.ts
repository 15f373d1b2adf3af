/** Measures of ranked lists, as `quire eval` computes them. */
import { nameOfJudged, type Question } from '../../data/evaluation-set.ts';

/** Number of hits that nDCG and MRR judge, and that recall reads. */
export const DEPTH = 10;
export const RECALL_DEPTH = 100;

export interface Score {
  ndcg: number;
  recall: number;
  reciprocalRank: number;
  tookMs: number;
}

interface Hit {
  documentId: string;
  documentName: string;
}

/** Judges the hits of a question; several chunks of a document count once. */
export function scoreOf({ documents }: Question, hits: readonly Hit[], tookMs: number): Score {
  const grades = new Map(
    documents.map((each) => [nameOfJudged(each), typeof each === 'string' ? 1 : (each.grade ?? 1)]),
  );
  const seen = new Set<string>();
  const ranked: number[] = [];
  for (const { documentId, documentName } of hits) {
    if (seen.has(documentId)) continue;
    seen.add(documentId);
    ranked.push(grades.get(documentId) ?? grades.get(documentName) ?? 0);
  }
  const all = [...grades.values()];
  const first = ranked.slice(0, DEPTH).findIndex((grade) => grade > 0);
  const relevant = all.filter((grade) => grade > 0).length;
  return {
    ndcg: ndcg(ranked.slice(0, DEPTH), all),
    recall: relevant === 0 ? 0 : ranked.filter((grade) => grade > 0).length / relevant,
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    tookMs,
  };
}

/** nDCG with gains `2^grade − 1` (Burges and others, Learning to Rank using Gradient Descent, 2005). */
function ndcg(ranked: readonly number[], all: readonly number[]): number {
  const gain = (grades: readonly number[]): number =>
    grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
  const ideal = gain(all.toSorted((a, b) => b - a).slice(0, DEPTH));
  return ideal === 0 ? 0 : gain(ranked) / ideal;
}

export interface Summary extends Omit<Score, 'tookMs'> {
  p50Ms: number;
  p95Ms: number;
}

export function summaryOf(scores: readonly Score[]): Summary {
  const mean = (read: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + read(score), 0) / Math.max(1, scores.length);
  const times = scores.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  const percentile = (share: number): number => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
  return {
    ndcg: mean(({ ndcg }) => ndcg),
    recall: mean(({ recall }) => recall),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
  };
}
