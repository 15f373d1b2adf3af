/**
 * Fuses several ranked lists into one. Each list is a leg of a hybrid search (`dense` or `sparse`); a chunk gets no
 * contribution from a list that does not contain it. Fused scores are in 0..1; a chunk that leads every list has 1.
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

/** The position of a chunk in one list: its rank from 1 and its raw score (dense: cosine, sparse: BM25). */
export interface LegPosition {
  rank: number;
  score: number;
}

export interface FusedHit<Hit extends ScoredHit> {
  /** The hit of the first list that contains the chunk. */
  hit: Hit;
  score: number;
  dense: LegPosition | null;
  sparse: LegPosition | null;
}

export interface RankedList<Hit extends ScoredHit> {
  leg: Leg;
  /** Best first, without duplicate chunks. */
  hits: readonly Hit[];
}

/** The constant of Cormack, Clarke, Büttcher: Reciprocal Rank Fusion, SIGIR 2009. */
const RRF_CONSTANT = 60;

/**
 * Returns the fused hits, best first. Ties are broken by chunk key, so that a repeated search gives the same answer.
 */
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

/** Ranks the hits of a search with one leg; the scores are the raw scores of the leg. */
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
 * Normalises the scores of a list to 0..1; its best hit has 1. The floor of BM25 is 0, the score of a chunk without any
 * of the terms; cosines have no natural floor, so the lowest score of the list is used. A list of equal scores gives 1
 * to each. Source: Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, 2023.
 */
function minMax({ leg, hits }: RankedList<ScoredHit>): (position: LegPosition) => number {
  const best = hits[0]?.score ?? 0;
  const floor = leg === 'sparse' ? 0 : (hits.at(-1)?.score ?? 0);
  const range = best - floor;
  return range > 0 ? (position) => 1 - (best - position.score) / range : () => 1;
}

/**
 * Precision of score comparisons, in steps per 1. Two copies of one index differ in the sixth digit, and scores that
 * are equal in one must be tied in the other.
 */
const SCORE_STEPS = 1e5;

function sortByScore<Hit extends ScoredHit>(hits: FusedHit<Hit>[]): FusedHit<Hit>[] {
  const rounded = ({ score }: FusedHit<Hit>): number => Math.round(score * SCORE_STEPS);
  return hits.toSorted((a, b) => rounded(b) - rounded(a) || (a.hit.chunkKey < b.hit.chunkKey ? -1 : 1));
}
