/** Ranks the visible hits of all legs: over-fetches and queries again until each leg has enough of them. */
import { fuse, single } from './fusion.ts';
import { distinctChunks, mergeTables, runLeg, type LegQuery } from './leg-query.ts';
import type { RecordLookups, Ranking, VisibleChunk } from './record-lookups.ts';
import type { RetrievalPlan } from './retrieval-plan.ts';
import type { IndexHit } from './search-index.ts';

/** Minimum number of candidates per list: fusion needs hits from below the ones that are returned. */
const MIN_DEPTH = 50;
/** Factor by which each further round enlarges the fetch. */
const FETCH_GROWTH = 4;
/** Maximum number of hits fetched from a table. */
const MAX_FETCH = 20_000;
/** Fetch size above which listing the matching documents for pushdown is faster. */
const PUSHDOWN_FETCH = 2_000;
/** Over-fetch beyond the expected need, as a factor. */
const OVER_FETCH = 1.25;
/** Maximum number of chunks loaded before the visibility of the hits is known. */
const MAX_FIRST_PAGE = 60;

/** Number of chunks to load for `limit` hits: some more, since near-duplicates are dropped. */
export const pageSize = (limit: number): number => limit + Math.ceil(limit / 5);

/**
 * Runs rounds of: query all open legs in parallel, then the records once. The first look-up loads only the
 * chunks that would be returned, since nearly all hits are visible. Only when one is hidden, or a post-filter hides
 * many, are all hits checked and ranked again: checking a hundred hits takes PostgreSQL as long as loading the page.
 */
export async function rankVisible<Chunk extends VisibleChunk>(
  queries: readonly LegQuery[],
  records: RecordLookups<Chunk>,
  plan: RetrievalPlan,
  signal: AbortSignal,
): Promise<Ranking> {
  const { postFilter } = plan;
  const depth = Math.max(MIN_DEPTH, plan.limit * 2);
  const page = firstPage(plan);
  const seen: IndexHit[] = [];
  const lookUp = async (hits: readonly IndexHit[], ranking: Ranking): Promise<Ranking> => {
    if (await records.lookUp(hits, ranking.slice(0, page))) return ranking;
    for (const query of queries) query.hits = query.hits.filter(records.isVisible);
    return rank(queries, plan, depth);
  };
  let mayPushDown = postFilter !== null;
  for (let fetch = fetchFor(depth, postFilter?.expectedShare ?? 1); ;) {
    const open = queries.filter((query) => !query.done);
    signal.throwIfAborted();
    const answers = await Promise.all(open.map((query) => runLeg(query, fetch)));
    for (const [position, query] of open.entries()) {
      query.hits = distinctChunks((answers[position] ?? []).filter(records.isVisible));
      for (const hit of query.hits) seen.push(hit);
    }
    const first = rank(queries, plan, depth);
    let ranking = await lookUp(postFilter === null ? [] : seen, first);
    if (ranking !== first && postFilter === null) ranking = await lookUp(seen, ranking);
    for (const [position, query] of open.entries()) {
      const fetched = answers[position]?.length ?? 0;
      query.done = query.hits.length >= depth || fetched < fetch || fetch === MAX_FETCH;
    }
    const left = queries.filter((query) => !query.done);
    if (left.length === 0) return ranking;
    fetch = nextFetch(fetch, depth, left, plan);
    if (fetch <= PUSHDOWN_FETCH || !mayPushDown || postFilter === null) continue;
    mayPushDown = false;
    const allowList = await postFilter.allowList();
    if (allowList === null) continue;
    for (const query of left) query.filter = allowList;
    fetch = depth;
  }
}

function rank(queries: readonly LegQuery[], plan: RetrievalPlan, depth: number): Ranking {
  const lists = mergeTables(queries, depth);
  return plan.mode === 'hybrid' ? fuse(lists, plan.fusion) : single(lists);
}

function firstPage({ limit, postFilter }: RetrievalPlan): number {
  const size = pageSize(limit);
  return Math.max(size, Math.min(MAX_FIRST_PAGE, Math.ceil(size / (postFilter?.expectedShare ?? 1))));
}

const fetchFor = (depth: number, share: number): number =>
  share >= 1 ? depth : Math.min(MAX_FETCH, Math.ceil((depth / share) * OVER_FETCH));

function nextFetch(fetch: number, depth: number, left: readonly LegQuery[], { postFilter }: RetrievalPlan): number {
  const share = Math.min(...left.map((query) => query.hits.length)) / fetch;
  return Math.min(MAX_FETCH, Math.max(fetch * FETCH_GROWTH, postFilter === null ? 0 : fetchFor(depth, share)));
}
