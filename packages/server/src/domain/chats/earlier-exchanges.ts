import type { MessageRecord } from '../../database/tables.ts';
import type { EarlierExchange } from './answer-engine.ts';

/** So many messages back a question can point; what is older is forgotten. */
export const EARLIER_MESSAGES = 60;

/** Messages, oldest first, as questions with their answers. */
export function earlierExchanges(messages: readonly MessageRecord[]): EarlierExchange[] {
  return messages.flatMap((message, at) => {
    const next = messages[at + 1];
    if (message.role !== 'user' || next?.role !== 'assistant') return [];
    const { parts, citations } = next.content;
    const question = textOf(message);
    const search = parts.find((part) => part.type === 'tool');
    const query = search?.type === 'tool' ? search.input.query : question;
    return [{ question, query, answer: textOf(next), citations }];
  });
}

const textOf = ({ content }: MessageRecord): string =>
  content.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
