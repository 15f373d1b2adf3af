/**
 * The interface of answer engines: given the conversation and a search function, an engine writes into a streamed
 * draft. `extractive/` quotes; `agent/` uses a language model.
 */
import type { Citation, MessageContent } from '../../database/tables.ts';
import type { TokenUsage } from '@quire/models/chat-model';
import type { SearchAnswer } from '../search/types.ts';

/** An earlier question of the chat with its answer. */
export interface EarlierExchange {
  question: string;
  /** The first search query: the question, resolved against the exchange before it. */
  query: string;
  answer: string;
  citations: readonly Citation[];
}

/** The hits, with `explain`. */
export type Retrieved = Pick<SearchAnswer, 'hits' | 'denseModelId'>;

export interface AnswerRequest {
  question: string;
  /** Instructions of the chat, for the model. */
  instructions: string | null;
  /** Earlier exchanges, oldest first. */
  earlier: readonly EarlierExchange[];
  /** Searches the chat's collection under the chat's filter. */
  retrieve: (query: string, limit: number) => Promise<Retrieved>;
  /** Aborted when the answer must end. */
  signal: AbortSignal;
}

/** The part of a message that an engine writes. */
export type DraftContent = Pick<Required<MessageContent>, 'parts' | 'citations' | 'confidence'>;

export interface Draft {
  /**
   * Changes the answer; readers receive the change with the next line. Resolves when a slow reader has caught up (back
   * pressure), and rejects when the answer was stopped.
   */
  write(change: (content: DraftContent) => void): Promise<void>;
}

/** Counters of an answer, also of one that fails. */
export interface AnswerMeter {
  spend(usage: TokenUsage): void;
  /** Counts a mark that names no source (`unknown`), or one that does not support the statement (`unverified`). */
  dropMark(reason: 'unknown' | 'unverified'): void;
}

export interface AnswerEngine {
  answer(request: AnswerRequest, draft: Draft, meter: AnswerMeter): Promise<void>;
}
