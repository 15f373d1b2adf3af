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
/** With more postings than this share of the slots, looking at each slot is faster than visiting the postings again. */
const MANY = 0.2;

/** Slots with one of the terms that `admitted` has a 1 for, best first. A term that is named twice counts twice. */
export function searchTerms(
  postings: Postings,
  slots: Slots,
  terms: readonly number[],
  limit: number,
  admitted: Uint8Array,
): ScoredSlot[] {
  if (sums.length < slots.size) sums = new Float32Array(Math.ceil(slots.size * 1.5));
  for (const term of terms) addScores(postings, slots, term);
  const best = new BestHits(limit);
  const visits = terms.reduce((sum, term) => sum + postings.rowsWith(term), 0);
  if (visits > slots.size * MANY) takeAll(slots.size, admitted, best);
  else for (const term of terms) takeTerm(postings, term, admitted, best);
  return best.sorted();
}

/** Adds the term's part to each row that has it. */
function addScores(postings: Postings, slots: Slots, term: number): void {
  const { lengths } = slots;
  const rows = postings.rowsWith(term);
  const weight = Math.log(1 + (slots.size - rows + 0.5) / (rows + 0.5)) * (K1 + 1);
  const base = K1 * (1 - B);
  const perTerm = (K1 * B) / slots.meanLength;
  const into = sums;
  postings.forEachBlock(term, (words, from, to) => {
    for (let at = from; at < to; at += 1) {
      const posting = words[at] ?? 0;
      const slot = posting >>> 8;
      const frequency = posting & 0xff;
      into[slot] = (into[slot] ?? 0) + (weight * frequency) / (frequency + base + perTerm * (lengths[slot] ?? 0));
    }
  });
}

function takeAll(size: number, admitted: Uint8Array, best: BestHits): void {
  const from = sums;
  for (let slot = 0; slot < size; slot += 1) {
    const score = from[slot] ?? 0;
    if (score > 0 && score >= best.threshold && admitted[slot] === 1) best.offer(slot, score);
  }
  from.fill(0, 0, size);
}

function takeTerm(postings: Postings, term: number, admitted: Uint8Array, best: BestHits): void {
  const from = sums;
  postings.forEachBlock(term, (words, start, end) => {
    for (let at = start; at < end; at += 1) {
      const slot = (words[at] ?? 0) >>> 8;
      const score = from[slot] ?? 0;
      from[slot] = 0;
      if (score > 0 && score >= best.threshold && admitted[slot] === 1) best.offer(slot, score);
    }
  });
}
