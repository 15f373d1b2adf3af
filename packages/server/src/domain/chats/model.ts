/** What answers a question: given the conversation and the tool `retrieve`, it writes into a draft that is streamed. */
import type { MessageContent } from '../../database/tables.ts';
import type { SearchHit } from '../search/types.ts';

export interface AnswerRequest {
  question: string;
  /** The user's last turn before this one. */
  previousQuestion: string | undefined;
  /** Searches the chat's collection under the chat's filter. */
  retrieve: (query: string, limit: number) => Promise<SearchHit[]>;
}

export interface Draft {
  /**
   * Changes the answer; readers see it with the next line. Resolves when a reader that is slow has caught up, rejects
   * when the answer was stopped: nothing is to be written after that.
   */
  write(change: (content: Pick<MessageContent, 'parts' | 'citations'>) => void): Promise<void>;
}

export interface ChatModel {
  answer(request: AnswerRequest, draft: Draft): Promise<{ inputTokens: number; outputTokens: number }>;
}
