/** Decides which concept of a document a field means. */
import type { Field } from './fields.ts';

/** Minimum affinity of a field to a concept that it means. */
const AFFINITY = 0.5;

const affinity = ({ targets }: Field, concept: string): number => targets.get(concept) ?? 0;

export const means = (field: Field, concept: string): boolean => affinity(field, concept) >= AFFINITY;

/** Returns the field of a single value that means the concept best. */
export const fieldFor = (fields: readonly Field[], concept: string): Field | undefined =>
  fields
    .filter((field) => !field.list && means(field, concept))
    .toSorted((a, b) => affinity(b, concept) - affinity(a, concept))[0];
