/**
 * The core of search, free of workspaces and SQL: queries the index tables, keeps the hits that the records show as
 * visible, fuses the lists and drops near-duplicates. The caller prepares the query (terms by the analyser, vectors by
 * the embedder of each collection) and gives a `ChunkSource`, which alone decides what may be seen.
 */
import type { FusedHit, LegPosition } from './fusion.ts';
import { legQueries, type LegQuery } from './leg-query.ts';
import { overlaps } from './overlap.ts';
import { pageSize, rankVisible } from './rank-visible.ts';
import {
  RecordLookups,
  type ChunkSource,
  type LookupStats,
  type Ranking,
  type VisibleChunk,
} from './record-lookups.ts';
import type { RetrievalPlan, RetrievalTarget } from './retrieval-plan.ts';
import type { IndexHit, IndexTableError, SearchIndex } from './search-index.ts';

export interface RetrievedHit<Chunk extends VisibleChunk> {
  chunk: Chunk;
  target: RetrievalTarget;
  score: number;
  /**
   * Cosine of the chunk and the query. For a chunk that only the sparse leg found, the lowest cosine of the dense list,
   * which is an upper bound; null without a dense leg.
   */
  cosine: number | null;
  dense: LegPosition | null;
  sparse: LegPosition | null;
}

export interface Retrieval<Chunk extends VisibleChunk> {
  hits: RetrievedHit<Chunk>[];
  /** Tables that did not open and must be rebuilt; the other tables answered. */
  broken: IndexTableError[];
  stats: LookupStats;
}

export async function retrieve<Chunk extends VisibleChunk>(
  index: SearchIndex,
  targets: readonly RetrievalTarget[],
  source: ChunkSource<Chunk>,
  plan: RetrievalPlan,
  signal: AbortSignal,
  accepts: (hit: RetrievedHit<Chunk>) => boolean = () => true,
): Promise<Retrieval<Chunk>> {
  const queries = targets.flatMap((target) => legQueries(index, target, plan.mode));
  const records = new RecordLookups(source);
  const ranking = await rankVisible(queries, records, plan, signal);
  const lowest = lowestCosines(queries);
  const retrieved = (chunk: Chunk, { hit, score, dense, sparse }: FusedHit<IndexHit>): RetrievedHit<Chunk>[] => {
    const query = queries.find(({ hits }) => hits.includes(hit));
    if (query === undefined) return [];
    const cosine = dense?.score ?? lowest.get(query.target) ?? null;
    return [{ chunk, target: query.target, score, cosine, dense, sparse }];
  };
  const accepted = (chunk: Chunk, fused: FusedHit<IndexHit>) => retrieved(chunk, fused).filter(accepts);
  return {
    hits: await loadDistinct(ranking, records, plan.limit, accepted, signal),
    broken: [...new Map(queries.flatMap(({ broken }) => (broken ? [[broken.table, broken]] : []))).values()],
    stats: records.stats,
  };
}

/** Returns the lowest cosine of each target's dense list. */
function lowestCosines(queries: readonly LegQuery[]): Map<RetrievalTarget, number> {
  const dense = queries.filter(({ leg, hits }) => leg === 'dense' && hits.length > 0);
  return new Map(dense.map(({ target, hits }) => [target, Math.min(...hits.map(({ score }) => score))]));
}

/**
 * Loads chunks from the best down, a page at a time, until there are `limit` that are accepted and do not repeat one
 * another.
 */
async function loadDistinct<Chunk extends VisibleChunk>(
  ranking: Ranking,
  records: RecordLookups<Chunk>,
  limit: number,
  accepted: (chunk: Chunk, fused: FusedHit<IndexHit>) => RetrievedHit<Chunk>[],
  signal: AbortSignal,
): Promise<RetrievedHit<Chunk>[]> {
  const kept: RetrievedHit<Chunk>[] = [];
  for (const [position, fused] of ranking.entries()) {
    if (kept.length >= limit) break;
    if (records.chunkOf(fused.hit) === undefined && records.isVisible(fused.hit)) {
      signal.throwIfAborted();
      await records.lookUp([], ranking.slice(position, position + pageSize(limit)));
    }
    const chunk = records.chunkOf(fused.hit);
    if (chunk === undefined) continue;
    const repeats = kept.some(
      (other) => other.chunk.documentKey === chunk.documentKey && overlaps(other.chunk.text, chunk.text),
    );
    if (!repeats) kept.push(...accepted(chunk, fused));
  }
  return kept;
}
