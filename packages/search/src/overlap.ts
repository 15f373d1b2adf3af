/** Enough characters that a common beginning is no accident. */
const SEED_LENGTH = 24;

/**
 * Whether two passages of one document say largely the same: equal, one inside the other, or the end of one is the
 * beginning of the other over at least half of the shorter.
 */
export function overlaps(a: string, b: string): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (longer.includes(shorter)) return true;
  const least = Math.max(SEED_LENGTH, Math.ceil(shorter.length / 2));
  return sharedEdge(a, b) >= least || sharedEdge(b, a) >= least;
}

/** Length of the longest end of `first` that `second` begins with; 0 below the seed's length. */
function sharedEdge(first: string, second: string): number {
  if (second.length < SEED_LENGTH) return 0;
  const seed = second.slice(0, SEED_LENGTH);
  const earliest = Math.max(0, first.length - second.length);
  for (let start = first.indexOf(seed, earliest); start >= 0; start = first.indexOf(seed, start + 1)) {
    if (second.startsWith(first.slice(start))) return first.length - start;
  }
  return 0;
}
