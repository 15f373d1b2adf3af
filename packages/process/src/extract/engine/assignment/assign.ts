/**
 * Assigns each field its best candidate in the order of scores. A value is assigned to two fields only when it fits
 * both.
 */
import type { Candidate } from '../candidates/candidate.ts';
import type { Field } from '../fields/fields.ts';

const MIN_SCORE = 0.4;
/** Minimum score at which a value may be assigned to a second field. */
const MIN_SHARED_SCORE = 0.88;

export function assign(candidates: readonly Candidate[]): Map<Field, Candidate> {
  const chosen = new Map<Field, Candidate>();
  const taken = new Map<string, Candidate>();
  const sorted = candidates
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score || a.segment.index - b.segment.index || a.start - b.start);
  for (const candidate of sorted) {
    if (chosen.has(candidate.field)) continue;
    const key = `${candidate.segment.index}:${candidate.start}`;
    const owner = taken.get(key);
    const alike =
      owner === undefined ||
      candidate.shared ||
      haveSameConcept(owner.field, candidate.field) ||
      candidate.score >= MIN_SHARED_SCORE;
    if (!alike) continue;
    chosen.set(candidate.field, candidate);
    taken.set(key, candidate);
  }
  return chosen;
}

function haveSameConcept(a: Field, b: Field): boolean {
  const best = (field: Field): string | undefined =>
    [...field.targets].filter(([target]) => target !== field.nameTarget).toSorted((x, y) => y[1] - x[1])[0]?.[0];
  const first = best(a);
  return first !== undefined && first === best(b);
}
