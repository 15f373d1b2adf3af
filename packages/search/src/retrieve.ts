/**
 * The core of search, free of workspaces and SQL: queries the index tables, keeps the hits that the records show as
 * visible, fuses the lists and drops near-duplicates. The caller prepares the query (terms by the analyser, vectors by
 * the embedder of each collection) and gives a `ChunkSource`, which alone decides what may be seen.
 */
import type { FusedHit, LegPosition } from './fusion.ts';
import { legQueries } from './leg-query.ts';
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
): Promise<Retrieval<Chunk>> {
  const queries = targets.flatMap((target) => legQueries(index, target, plan.mode));
  const records = new RecordLookups(source);
  const ranking = await rankVisible(queries, records, plan, signal);
  const loaded = await loadDistinct(ranking, records, plan.limit, signal);
  return {
    hits: loaded.flatMap(({ chunk, fused: { hit, score, dense, sparse } }) => {
      const query = queries.find(({ hits }) => hits.includes(hit));
      return query === undefined ? [] : [{ chunk, target: query.target, score, dense, sparse }];
    }),
    broken: [...new Map(queries.flatMap(({ broken }) => (broken ? [[broken.table, broken]] : []))).values()],
    stats: records.stats,
  };
}

interface LoadedHit<Chunk> {
  chunk: Chunk;
  fused: FusedHit<IndexHit>;
}

/** Loads chunks from the best down, a page at a time, until there are `limit` that do not repeat one another. */
async function loadDistinct<Chunk extends VisibleChunk>(
  ranking: Ranking,
  records: RecordLookups<Chunk>,
  limit: number,
  signal: AbortSignal,
): Promise<LoadedHit<Chunk>[]> {
  const kept: LoadedHit<Chunk>[] = [];
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
    if (!repeats) kept.push({ chunk, fused });
  }
  return kept;
}
