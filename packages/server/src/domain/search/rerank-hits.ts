/** Orders the hits of a search by the scores of a reranker. */
import type { RetrievedHit } from '@quire/search/retrieve';
import type { RerankChoice } from '../../database/tables.ts';
import type { LiveIndex } from '../collections/live-indexes.ts';
import type { SearchedChunk } from './live-chunks.ts';
import type { Reranking } from './reranking.ts';
import type { SearchWarning } from './types.ts';

/** A hit after further ordering, with its fused score. */
export type RankedHit = RetrievedHit<SearchedChunk> & {
  fused?: number;
  /** Cosine of the query and the chunk by a static model; only if it counts in the score. */
  likeness?: number;
  rerank?: { rank: number; score: number; tookMs: number };
};

export interface RerankedHits {
  hits: RankedHit[];
  warnings: SearchWarning[];
}

/** Returns the reranker that all searched collections have in common. */
export function commonReranker(searched: readonly LiveIndex[]): RerankChoice | null {
  const [first, ...others] = searched.map(({ collection }) => collection.rerank);
  const isSame = (other: RerankChoice | null): boolean => other?.model === first?.model && other?.topK === first?.topK;
  return first !== undefined && others.every(isSame) ? first : null;
}

/**
 * Orders the first `topK` hits by the reranker's scores; the others follow with lower scores. If the reranker fails,
 * the hits keep their order and a warning says so.
 */
export async function rerankHits(
  reranking: Pick<Reranking, 'score'>,
  { workspaceId, choice, query }: { workspaceId: string; choice: RerankChoice; query: string },
  hits: readonly RankedHit[],
  signal: AbortSignal,
): Promise<RerankedHits> {
  const first = hits.slice(0, choice.topK);
  if (first.length === 0) return { hits: [...hits], warnings: [] };
  const texts = first.map(({ chunk }) => [...chunk.headings, chunk.text].join('\n'));
  const outcome = await reranking.score(workspaceId, choice, query, texts, signal);
  if ('problem' in outcome) {
    const message = `The hits are not reranked: ${outcome.problem}`;
    return { hits: [...hits], warnings: [{ type: 'rerank_unavailable', message }] };
  }
  const { scores, tookMs } = outcome;
  const ranked = first.map((hit, at): RankedHit => {
    const score = scores[at] ?? 0;
    const rerank = { rank: at + 1, score: Math.round(score * 1e6) / 1e6, tookMs };
    return { ...hit, score, fused: hit.fused ?? hit.score, rerank };
  });
  const lowest = Math.min(...scores);
  const best = hits[choice.topK]?.score ?? 1;
  const rest = hits.slice(choice.topK).map((hit) => ({
    ...hit,
    score: best > 0 ? (hit.score / best) * lowest : 0,
    fused: hit.fused ?? hit.score,
  }));
  return { hits: [...ranked.toSorted((a, b) => b.score - a.score), ...rest], warnings: [] };
}
