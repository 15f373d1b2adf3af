/**
 * BM25 as Lance and Lucene count it: k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + 0.5) / (n + 0.5)). Rare terms go first; once
 * all that is left of the query cannot lift a row among the best that has none of those, only rows that have are looked up in
 * the long lists (MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995). The answer is the same.
 */
import { BestHits, type ScoredSlot } from './best-hits.ts';
import type { Postings } from './postings.ts';
import type { Slots } from './slots.ts';

const K1 = 1.2;
const B = 0.75;

/** Sums by slot, all 0 between two queries, and the slots that have one: for all tables, as nothing waits inside of a query. */
let sums = new Float32Array(0);
let summed = new Uint32Array(0);
/** Shorter lists are read: to find out whether they may be skipped costs as much. */
const LONG = 500;
/** To look a slot up takes as long as to read so many postings. */
const STEPS_OF_LOOKUP = 10;
/** Sums are rounded to 24 bits. */
const ROUNDING = 1e-5;
const NO_SLOTS = new Uint32Array(0);

interface QueryTerm {
  term: number;
  rows: number;
  /** Times the saturated count gives the term's part of a score. */
  weight: number;
  /** No row gets more from it. */
  most: number;
}

/** Slots with one of the terms that `admitted` has a 1 for, best first. A term that is named twice counts twice. */
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

/** The slots that can still be among the best, ascending, when to look them up in the lists left is less than to read those. */
function lookedUp(
  left: readonly QueryTerm[],
  touched: Uint32Array,
  limit: number,
  admitted: Uint8Array,
): Uint32Array | undefined {
  const postings = left.reduce((sum, { rows }) => sum + rows, 0);
  if (postings < Math.max(LONG, touched.length * 2)) return undefined;
  const most = left.reduce((sum, term) => sum + term.most, 0);
  const least = bestOf(touched, limit, admitted).threshold - most * (1 + ROUNDING);
  if (least <= 0) return undefined;
  const found = candidates(touched, least, admitted);
  return found.length * left.length * STEPS_OF_LOOKUP < postings ? found.toSorted() : undefined;
}

/** The shortest lists first. */
function queryTerms(postings: Postings, slots: Slots, terms: readonly number[]): QueryTerm[] {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const perTerm = (K1 * B) / slots.meanLength;
  const queue = Array.from(counts, ([term, count]) => {
    const rows = postings.rowsWith(term);
    const weight = count * Math.log(1 + (slots.size - rows + 0.5) / (rows + 0.5)) * (K1 + 1);
    const { frequency, density } = postings.most(term);
    return { term, rows, weight, most: weight / (1 + (K1 * (1 - B)) / frequency + perTerm / density) };
  });
  return queue.toSorted((a, b) => a.rows - b.rows);
}

/** Adds the term's part to each row that has it; gives how many slots have a sum then. */
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

/** Admitted slots with at least this sum. */
function candidates(touched: Uint32Array, least: number, admitted: Uint8Array): Uint32Array {
  const from = sums;
  const found = new Uint32Array(touched.length);
  let count = 0;
  // In a loop: `filter` calls a function for each, which takes four times as long.
  for (let at = 0; at < touched.length; at += 1) {
    const slot = touched[at] ?? 0;
    if ((from[slot] ?? 0) >= least && admitted[slot] === 1) found[count++] = slot;
  }
  return found.subarray(0, count);
}

/** Adds the term's part to those of the slots, which ascend, that have it. */
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

/** Where the first posting of the slot or a later one stands; there is one before `to`. */
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
