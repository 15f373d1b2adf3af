/** Number of characters above which a common beginning is not a coincidence. */
const SEED_LENGTH = 24;

/**
 * Returns true when two chunks of a document are near-duplicates: they are equal, one contains the other, or the end of
 * one is the beginning of the other over at least half of the shorter.
 */
export function overlaps(a: string, b: string): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (longer.includes(shorter)) return true;
  const least = Math.max(SEED_LENGTH, Math.ceil(shorter.length / 2));
  return sharedEdge(a, b) >= least || sharedEdge(b, a) >= least;
}

/** Returns the length of the longest suffix of `first` that is a prefix of `second`, or 0 below the seed's length. */
function sharedEdge(first: string, second: string): number {
  if (second.length < SEED_LENGTH) return 0;
  const seed = second.slice(0, SEED_LENGTH);
  const earliest = Math.max(0, first.length - second.length);
  for (let start = first.indexOf(seed, earliest); start >= 0; start = first.indexOf(seed, start + 1)) {
    if (second.startsWith(first.slice(start))) return first.length - start;
  }
  return 0;
}
