import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchTerms } from './bm25.ts';
import { Postings } from './postings.ts';
import { Slots } from '../slots.ts';

const TERMS = 40;

/** Rows of 1 to 30 terms: few terms are frequent, most are rare. */
function tableOf(rows: number, random: () => number) {
  const [postings, slots] = [new Postings(), new Slots()];
  const texts: number[][] = [];
  for (let slot = 0; slot < rows; slot += 1) {
    const length = 1 + Math.floor(random() * 30);
    const terms = Array.from({ length }, () => Math.floor(TERMS ** random()) - 1);
    slots.add({ chunkKey: BigInt(slot), documentKey: 0n, revision: 1 }, length);
    // The occurrences of a term in a slot are added consecutively.
    for (const term of terms) postings.add(term, slot, length);
    texts.push(terms);
  }
  return { postings, slots, texts };
}

/** Computes every score by the formula. */
function scoresOf(texts: readonly number[][], query: readonly number[]): number[] {
  const mean = texts.reduce((sum, terms) => sum + terms.length, 0) / texts.length;
  const scores = texts.map(() => 0);
  for (const term of query) {
    const counts = texts.map((terms) => terms.filter((each) => each === term).length);
    const having = counts.filter((count) => count > 0).length;
    const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    for (const [slot, count] of counts.entries()) {
      const norm = 1.2 * (0.25 + (0.75 * (texts[slot]?.length ?? 0)) / mean);
      scores[slot] = (scores[slot] ?? 0) + (idf * 2.2 * count) / (count + norm);
    }
  }
  return scores;
}

test('returns the exact best scores although it skips postings', () => {
  fc.assert(
    fc.property(
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      fc.integer({ min: 1, max: 3000 }),
      fc.array(fc.array(fc.integer({ min: 0, max: TERMS - 1 }), { minLength: 1, maxLength: 6 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 4 }),
      (stream, rows, queries, limit, admittedEvery) => {
        const { postings, slots, texts } = tableOf(rows, () => stream.next().value as number);
        const admitted = Uint8Array.from(texts, (_, slot) => (slot % admittedEvery === 0 ? 1 : 0));
        for (const query of queries) {
          const scores = scoresOf(texts, query);
          const expected = scores.filter((score, slot) => score > 0 && admitted[slot] === 1).toSorted((a, b) => b - a);
          const found = searchTerms(postings, slots, query, limit, admitted);
          expect(found).toHaveLength(Math.min(limit, expected.length));
          for (const [at, { slot, score }] of found.entries()) {
            expect(admitted[slot]).toBe(1);
            expect(score).toBeCloseTo(scores[slot] ?? NaN, 4);
            expect(score).toBeCloseTo(expected[at] ?? NaN, 4);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
