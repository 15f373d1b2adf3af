/** One leg of one target: a query that is repeated with a larger limit until enough of its hits are visible. */
import type { Leg, RankedList } from './fusion.ts';
import type { RetrievalPlan, RetrievalTarget } from './retrieval-plan.ts';
import { IndexTableError, type IndexFilter, type IndexHit, type SearchIndex } from './search-index.ts';

export interface LegQuery {
  leg: Leg;
  target: RetrievalTarget;
  run: (limit: number, filter: IndexFilter | undefined) => Promise<IndexHit[]>;
  filter: IndexFilter | undefined;
  /** The hits that are not known to be hidden, best first. */
  hits: IndexHit[];
  done: boolean;
  broken: IndexTableError | null;
}

export function legQueries(index: SearchIndex, target: RetrievalTarget, mode: RetrievalPlan['mode']): LegQuery[] {
  const { table, terms, vector, filter } = target;
  const queries: LegQuery[] = [];
  const add = (leg: Leg, run: LegQuery['run']) =>
    queries.push({ leg, target, run, filter, hits: [], done: false, broken: null });
  if (mode !== 'sparse' && vector !== null) {
    add('dense', (limit, within) => index.searchDense(table, vector, limit, within));
  }
  if (mode !== 'dense' && terms.length > 0) {
    add('sparse', (limit, within) => index.searchSparse(table, terms, limit, within));
  }
  return queries;
}

/** Runs the query. A table that does not open gives no hits and is remembered as broken. */
export async function runLeg(query: LegQuery, limit: number): Promise<IndexHit[]> {
  try {
    return await query.run(limit, query.filter);
  } catch (error) {
    if (!(error instanceof IndexTableError)) throw error;
    query.broken = error;
    return [];
  }
}

/** Keeps the best hit of each chunk: an ingestion step that ran twice may have written a chunk twice. */
export function distinctChunks(hits: IndexHit[]): IndexHit[] {
  if (new Set(hits.map((hit) => hit.chunkKey)).size === hits.length) return hits;
  return [...new Map(hits.toReversed().map((hit) => [hit.chunkKey, hit])).values()].toReversed();
}

/** Merges the tables' hits into one BM25 list and one list per vector space: a list holds comparable scores only. */
export function mergeTables(queries: readonly LegQuery[], depth: number): RankedList<IndexHit>[] {
  const lists = new Map<string, { leg: Leg; hits: IndexHit[] }>();
  for (const { leg, target, hits } of queries) {
    const name = leg === 'dense' ? `dense ${target.vectorSpace ?? ''}` : leg;
    const list = lists.get(name);
    if (list === undefined) lists.set(name, { leg, hits: [...hits] });
    else list.hits.push(...hits);
  }
  return [...lists.values()].map(({ leg, hits }) => ({
    leg,
    hits: hits.toSorted((a, b) => b.score - a.score).slice(0, depth),
  }));
}
