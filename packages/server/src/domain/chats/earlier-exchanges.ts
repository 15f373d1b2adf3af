import type { MessageRecord } from '../../database/tables.ts';
import type { EarlierExchange } from './answer-engine.ts';

/** Number of earlier messages that a question can refer to. */
export const EARLIER_MESSAGES = 60;

/** Pairs messages, oldest first, into questions with their answers. */
export function earlierExchanges(messages: readonly MessageRecord[]): EarlierExchange[] {
  return messages.flatMap((message, at) => {
    const next = messages[at + 1];
    if (message.role !== 'user' || next?.role !== 'assistant') return [];
    const { parts, citations } = next.content;
    const question = textOf(message);
    const call = parts.find((part) => part.type === 'tool' && typeof part.input['query'] === 'string');
    const query = call?.type === 'tool' ? String(call.input['query']) : question;
    return [{ question, query, answer: textOf(next), citations }];
  });
}

const textOf = ({ content }: MessageRecord): string =>
  content.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
