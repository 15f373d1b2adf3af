/**
 * BM25 as Lucene computes it: k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + 0.5) / (n + 0.5)). Rare terms are
 * scored first. Once the remaining terms alone cannot lift a row into the result, only rows that already have a score
 * are looked up in the remaining lists (MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations",
 * 1995). The result is exact.
 */
import { BestHits, type ScoredSlot } from '../best-hits.ts';
import type { Postings } from './postings.ts';
import type { Slots } from '../slots.ts';

const K1 = 1.2;
const B = 0.75;

/**
 * Score sums by slot (all 0 between queries) and the slots with a sum. Shared by all tables, since queries are
 * synchronous.
 */
let sums = new Float32Array(0);
let summed = new Uint32Array(0);
/** Number of remaining postings below which skipping costs as much as scoring. */
const MIN_SKIPPED_POSTINGS = 500;
/** Cost of looking up a slot, in scored postings. */
const LOOKUP_COST = 10;
/** Relative error of sums in 24 bits. */
const ROUNDING = 1e-5;
const NO_SLOTS = new Uint32Array(0);

interface QueryTerm {
  term: number;
  rows: number;
  /** The term's contribution to a score is this weight times the saturated count. */
  weight: number;
  /** Upper bound on the term's contribution to any row. */
  maxScore: number;
}

/**
 * Returns the best slots with one of the terms for which `admitted` is 1, best first. A repeated term counts
 * repeatedly.
 */
export function searchTerms(
  postings: Postings,
  slots: Slots,
  terms: readonly number[],
  limit: number,
  admitted: Uint8Array,
): ScoredSlot[] {
  if (sums.length < slots.size) {
    sums = new Float32Array(Math.ceil(slots.size * 1.5));
    summed = new Uint32Array(sums.length);
  }
  const queue = queryTerms(postings, slots, terms);
  let count = 0;
  let found: Uint32Array | undefined;
  for (let next = queue.shift(); next !== undefined; next = found === undefined ? queue.shift() : undefined) {
    count = addScores(postings, slots, next, count);
    if (count >= limit) found = lookedUp(queue, summed.subarray(0, count), limit, admitted);
  }
  for (const term of queue) addScoresOf(postings, slots, term, found ?? NO_SLOTS);
  const best = bestOf(found ?? summed.subarray(0, count), limit, admitted).sorted();
  const from = sums;
  for (let at = 0; at < count; at += 1) from[summed[at] ?? 0] = 0;
  return best;
}

/**
 * Returns the slots that can still reach the result, ascending, if looking them up is cheaper than scoring the lists
 * left.
 */
function lookedUp(
  left: readonly QueryTerm[],
  touched: Uint32Array,
  limit: number,
  admitted: Uint8Array,
): Uint32Array | undefined {
  const postings = left.reduce((sum, { rows }) => sum + rows, 0);
  if (postings < Math.max(MIN_SKIPPED_POSTINGS, touched.length * 2)) return undefined;
  const maxScore = left.reduce((sum, term) => sum + term.maxScore, 0);
  const least = bestOf(touched, limit, admitted).threshold - maxScore * (1 + ROUNDING);
  if (least <= 0) return undefined;
  const found = candidates(touched, least, admitted);
  return found.length * left.length * LOOKUP_COST < postings ? found.toSorted() : undefined;
}

/** Returns the query's terms, those with the shortest lists first. */
function queryTerms(postings: Postings, slots: Slots, terms: readonly number[]): QueryTerm[] {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const perTerm = (K1 * B) / slots.meanLength;
  const queue = Array.from(counts, ([term, count]) => {
    const rows = postings.rowsWith(term);
    const weight = count * Math.log(1 + (slots.size - rows + 0.5) / (rows + 0.5)) * (K1 + 1);
    const { frequency, density } = postings.bounds(term);
    return { term, rows, weight, maxScore: weight / (1 + (K1 * (1 - B)) / frequency + perTerm / density) };
  });
  return queue.toSorted((a, b) => a.rows - b.rows);
}

/** Adds the term's contribution to each row that has it, and returns the number of slots with a sum. */
function addScores(postings: Postings, slots: Slots, { term, weight }: QueryTerm, count: number): number {
  const { lengths } = slots;
  const base = K1 * (1 - B);
  const perTerm = (K1 * B) / slots.meanLength;
  const [into, list] = [sums, summed];
  let size = count;
  postings.forEachBlock(term, (words, from, to) => {
    for (let at = from; at < to; at += 1) {
      const posting = words[at] ?? 0;
      const slot = posting >>> 8;
      const frequency = posting & 0xff;
      const before = into[slot] ?? 0;
      if (before === 0) list[size++] = slot;
      into[slot] = before + (weight * frequency) / (frequency + base + perTerm * (lengths[slot] ?? 0));
    }
  });
  return size;
}

/** Returns the admitted slots with at least this sum. */
function candidates(touched: Uint32Array, least: number, admitted: Uint8Array): Uint32Array {
  const from = sums;
  const found = new Uint32Array(touched.length);
  let count = 0;
  // A loop, since `filter` takes four times as long.
  for (let at = 0; at < touched.length; at += 1) {
    const slot = touched[at] ?? 0;
    if ((from[slot] ?? 0) >= least && admitted[slot] === 1) found[count++] = slot;
  }
  return found.subarray(0, count);
}

/** Adds the term's contribution to those of the requested (ascending) slots that have it. */
function addScoresOf(postings: Postings, slots: Slots, { term, weight }: QueryTerm, wanted: Uint32Array): void {
  const { lengths } = slots;
  const base = K1 * (1 - B);
  const perTerm = (K1 * B) / slots.meanLength;
  let next = 0;
  postings.forEachBlock(term, (words, from, to) => {
    const last = (words[to - 1] ?? 0) >>> 8;
    let start = from;
    for (; next < wanted.length && (wanted[next] ?? 0) <= last; next += 1) {
      const slot = wanted[next] ?? 0;
      start = firstFrom(words, start, to, slot);
      const posting = words[start] ?? 0;
      if (posting >>> 8 !== slot) continue;
      const frequency = posting & 0xff;
      sums[slot] = (sums[slot] ?? 0) + (weight * frequency) / (frequency + base + perTerm * (lengths[slot] ?? 0));
    }
  });
}

/** Returns the position of the first posting of this slot or a later one; there must be one before `to`. */
function firstFrom(words: Uint32Array, from: number, to: number, slot: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? 0) >>> 8 < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bestOf(slots: Uint32Array, limit: number, admitted: Uint8Array): BestHits {
  const best = new BestHits(limit);
  const from = sums;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    const score = from[slot] ?? 0;
    if (score > 0 && score >= best.threshold && admitted[slot] === 1) best.offer(slot, score);
  }
  return best;
}
