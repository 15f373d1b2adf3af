/** A possible value of a field, with its position in the document. */
import type { Evidence } from '../../extraction.ts';
import type { Field } from '../fields/fields.ts';
import { segmentBoxes, type Segment } from '../document/segments.ts';

export interface Candidate {
  field: Field;
  value: unknown;
  segment: Segment;
  /** Range of the source text within the segment. */
  start: number;
  end: number;
  score: number;
  /** Maximum of the confidence, for values that lack a confirmation which others of their kind have. */
  limit?: number;
  /** Whether the value is inferred and may serve other fields too, such as a currency sign. */
  shared: boolean;
}

export function evidenceOf({
  segment,
  start,
  end,
  score,
  limit = 0.99,
}: Omit<Candidate, 'field' | 'value' | 'shared'>): Evidence {
  return {
    page: segment.page,
    bbox: segment.bbox,
    boxes: segmentBoxes(segment, start, end),
    quote: segment.text.slice(start, end),
    confidence: Math.round(Math.max(0.05, Math.min(limit, score)) * 100) / 100,
  };
}
