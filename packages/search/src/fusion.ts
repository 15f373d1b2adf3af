/**
 * Makes one ranking out of several. Each list is a leg of a hybrid search (`dense` or `sparse`); a chunk that a list does
 * not hold gets nothing from it. Fused scores lie in 0..1: 1 is a chunk that leads every list.
 */
export type Leg = 'dense' | 'sparse';

export interface FusionOptions {
  method: 'rrf' | 'minmax';
  denseWeight: number;
  sparseWeight: number;
}

export interface ScoredHit {
  chunkKey: bigint;
  score: number;
}

/** Where a chunk stood in one list: its rank from 1 and the raw score (dense: cosine, sparse: BM25). */
export interface LegPosition {
  rank: number;
  score: number;
}

export interface FusedHit<Hit extends ScoredHit> {
  /** As the first list has it. */
  hit: Hit;
  score: number;
  dense: LegPosition | null;
  sparse: LegPosition | null;
}

export interface RankedList<Hit extends ScoredHit> {
  leg: Leg;
  /** Best first, each chunk once. */
  hits: readonly Hit[];
}

/** Cormack, Clarke, Büttcher: Reciprocal Rank Fusion, SIGIR 2009; 60 is the constant of the paper. */
const RRF_CONSTANT = 60;

/** Best first; equal scores are ordered by key, so that a search repeated gives the same answer. */
export function fuse<Hit extends ScoredHit>(
  lists: readonly RankedList<Hit>[],
  options: FusionOptions,
): FusedHit<Hit>[] {
  const fused = new Map<bigint, FusedHit<Hit>>();
  const total = options.denseWeight + options.sparseWeight;
  for (const list of lists) {
    const weight = (list.leg === 'dense' ? options.denseWeight : options.sparseWeight) / (total > 0 ? total : 1);
    const contribution = options.method === 'rrf' ? reciprocalRank : minMax(list);
    for (const [index, hit] of list.hits.entries()) {
      const position: LegPosition = { rank: index + 1, score: hit.score };
      let entry = fused.get(hit.chunkKey);
      if (entry === undefined) {
        entry = { hit, score: 0, dense: null, sparse: null };
        fused.set(hit.chunkKey, entry);
      }
      entry[list.leg] = position;
      entry.score += weight * contribution(position);
    }
  }
  return sortByScore([...fused.values()]);
}

/** The ranking of a search with one leg: scores stay what the leg gave. */
export function single<Hit extends ScoredHit>(lists: readonly RankedList<Hit>[]): FusedHit<Hit>[] {
  const hits = lists.flatMap((list) =>
    list.hits.map((hit, index): FusedHit<Hit> => {
      const position = { rank: index + 1, score: hit.score };
      return { hit, score: hit.score, dense: null, sparse: null, [list.leg]: position };
    }),
  );
  return sortByScore(hits);
}

function reciprocalRank(position: LegPosition): number {
  return (RRF_CONSTANT + 1) / (RRF_CONSTANT + position.rank);
}

/**
 * Scores over 0..1, the list's best is 1. BM25 has a 0 of its own, a passage with none of the terms; cosines have none that
 * means anything, so theirs is the worst of the list. After Bruch, Gai, Ingber: An Analysis of Fusion Functions, 2023. A list
 * of equals gives 1 to each.
 */
function minMax({ leg, hits }: RankedList<ScoredHit>): (position: LegPosition) => number {
  const best = hits[0]?.score ?? 0;
  const floor = leg === 'sparse' ? 0 : (hits.at(-1)?.score ?? 0);
  const range = best - floor;
  return range > 0 ? (position) => 1 - (best - position.score) / range : () => 1;
}

/** Two copies of one index differ in the sixth digit: what is equal in one must not change places in the other. */
const TOLD_APART = 1e5;

function sortByScore<Hit extends ScoredHit>(hits: FusedHit<Hit>[]): FusedHit<Hit>[] {
  const rounded = ({ score }: FusedHit<Hit>): number => Math.round(score * TOLD_APART);
  return hits.toSorted((a, b) => rounded(b) - rounded(a) || (a.hit.chunkKey < b.hit.chunkKey ? -1 : 1));
}
