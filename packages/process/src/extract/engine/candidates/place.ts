import type { Segment } from '../document/segments.ts';

/** A part of a segment that may be a value, with how likely it is. */
export interface Place {
  segment: Segment;
  start: number;
  end: number;
  score: number;
}
