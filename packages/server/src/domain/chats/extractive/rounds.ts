/** The parts that the rounds of searches for a question share. */
import type { SearchHit } from '../../search/types.ts';
import { THRESHOLD } from './answerability.ts';
import type { Evidence } from './evidence.ts';

export type Search = (query: string, count: number) => Promise<readonly SearchHit[]>;
export type Weigh = (hits: readonly SearchHit[], question: string) => Promise<Evidence>;

/** Number of quotes about one of several things. */
const MAX_QUOTES = 2;

/** Returns the hits of two searches, each once. */
export const joined = (hits: readonly SearchHit[], more: readonly SearchHit[]): SearchHit[] => [
  ...hits,
  ...more.filter(({ chunkId }) => !hits.some((hit) => hit.chunkId === chunkId)),
];

/** Returns the evidence as a part of an answer: its first quotes, and at least the confidence of an answer. */
export const asPart = (evidence: Evidence): Evidence => ({
  ...evidence,
  selection: { ...evidence.selection, quotes: evidence.selection.quotes.slice(0, MAX_QUOTES) },
  confidence: Math.max(evidence.confidence, THRESHOLD),
});
