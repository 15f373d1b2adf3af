/**
 * BM25 as Lance and Lucene count it: k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + 0.5) / (n + 0.5)). Every posting of the query's
 * terms is visited; at 100,000 rows that is a fraction of a millisecond for words, and skipping would cost more than it spares.
 */
import { BestHits, type ScoredSlot } from './best-hits.ts';
import type { Postings } from './postings.ts';
import type { Slots } from './slots.ts';

const K1 = 1.2;
const B = 0.75;

/** Sums by slot, all 0 between two queries: one array serves all tables, for nothing waits inside of a query. */
let sums = new Float32Array(0);
let touched = new Uint32Array(0);

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
    touched = new Uint32Array(sums.length);
  }
  let count = 0;
  for (const term of terms) count = addScores(postings, slots, term, count);
  const best = new BestHits(limit);
  for (let index = 0; index < count; index += 1) {
    const slot = touched[index] ?? 0;
    const score = sums[slot] ?? 0;
    sums[slot] = 0;
    if (score >= best.threshold && admitted[slot] === 1) best.offer(slot, score);
  }
  return best.sorted();
}

/** Adds the term's part to each row that has it; gives how many slots are touched by now. */
function addScores(postings: Postings, slots: Slots, term: number, touchedBefore: number): number {
  const { lengths } = slots;
  const rows = postings.rowsWith(term);
  const weight = Math.log(1 + (slots.size - rows + 0.5) / (rows + 0.5)) * (K1 + 1);
  const base = K1 * (1 - B);
  const perTerm = (K1 * B) / slots.meanLength;
  let count = touchedBefore;
  postings.forEachBlock(term, (words, from, to) => {
    for (let at = from; at < to; at += 1) {
      const posting = words[at] ?? 0;
      const slot = posting >>> 8;
      const frequency = posting & 0xff;
      const sum = sums[slot] ?? 0;
      if (sum === 0) touched[count++] = slot;
      sums[slot] = sum + (weight * frequency) / (frequency + base + perTerm * (lengths[slot] ?? 0));
    }
  });
  return count;
}
