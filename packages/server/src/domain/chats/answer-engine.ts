/**
 * What answers a question: given the conversation and the tool `retrieve`, an engine writes into a draft that is
 * streamed. One quotes (`extractive/`), one lets a language model answer (`agent/`).
 */
import type { Citation, MessageContent } from '../../database/tables.ts';
import type { TokenUsage } from '@quire/models/chat-model';
import type { SearchAnswer } from '../search/types.ts';

/** A question of the chat that was answered before. */
export interface EarlierExchange {
  question: string;
  /** What was searched for first: the question together with what it pointed back to. */
  query: string;
  answer: string;
  citations: readonly Citation[];
}

/** Hits with `explain`. */
export type Retrieved = Pick<SearchAnswer, 'hits' | 'denseModelId'>;

export interface AnswerRequest {
  question: string;
  /** The chat's, for the model. */
  instructions: string | null;
  /** Oldest first. */
  earlier: readonly EarlierExchange[];
  /** Searches the chat's collection under the chat's filter. */
  retrieve: (query: string, limit: number) => Promise<Retrieved>;
  /** Aborted when the answer is to end. */
  signal: AbortSignal;
}

export interface Draft {
  /**
   * Changes the answer; readers see it with the next line. Resolves when a reader that is slow has caught up, rejects
   * when the answer was stopped: nothing is to be written after that.
   */
  write(change: (content: Pick<MessageContent, 'parts' | 'citations'>) => void): Promise<void>;
}

/** What is counted while an answer is made; of one that fails too. */
export interface AnswerMeter {
  spend(usage: TokenUsage): void;
  /** A mark in the model's answer that led to no source, or to one that does not say so. */
  dropMark(reason: 'unknown' | 'unverified'): void;
}

export interface AnswerEngine {
  answer(request: AnswerRequest, draft: Draft, meter: AnswerMeter): Promise<void>;
}
