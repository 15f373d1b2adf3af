/** A place in the document that may hold a field's value. */
import type { Evidence } from '../../extraction.ts';
import type { Field } from '../fields/fields.ts';
import type { Segment } from '../document/segments.ts';

export interface Candidate {
  field: Field;
  value: unknown;
  segment: Segment;
  /** Of the text that it was read from. */
  start: number;
  end: number;
  score: number;
  /** Inferred from something that may serve other fields as well, such as a currency sign. */
  shared: boolean;
}

export function evidenceOf({ segment, start, end, score }: Omit<Candidate, 'field' | 'value' | 'shared'>): Evidence {
  return {
    page: segment.page,
    bbox: segment.bbox,
    quote: segment.text.slice(start, end),
    confidence: Math.round(Math.max(0.05, Math.min(0.99, score)) * 100) / 100,
  };
}
