/**
 * The conversation so far, cut to the room there is: the last exchanges word for word, older ones condensed to the
 * question and the snippets that were cited. Nothing is cut in the middle; what does not fit even so is left out whole,
 * the oldest first, and that is said.
 */
import type { ChatTurn } from '@quire/models/chat-model';
import type { TokenCounter } from '@quire/text/chunk/token-counter';
import type { EarlierExchange } from '../answer-engine.ts';
import { defuse, defuseLine, type Fence } from './fence.ts';

export interface EarlierTurns {
  /** The exchanges that are told word for word. */
  turns: ChatTurn[];
  /** The condensed ones, to be put before the question; empty when there are none. */
  summary: string;
}

/** Share of the room for exchanges told word for word. */
const WORD_FOR_WORD = 0.6;
const HEADLINE = 'Earlier in this conversation, condensed to questions and what was quoted then:';
const MARK = /(?<!\s)\s*\[\d+\]/gu;

export function earlierTurns(
  earlier: readonly EarlierExchange[],
  maxTokens: number,
  counter: TokenCounter,
  fence: Fence,
): EarlierTurns {
  const turns: ChatTurn[] = [];
  let next = earlier.length - 1;
  let left = maxTokens;
  for (; next >= 0; next -= 1) {
    const pair = wordForWord(earlier[next]);
    const tokens = counter.count(pair.map((turn) => turn.text).join('\n'));
    if (tokens > left - maxTokens * (1 - WORD_FOR_WORD)) break;
    left -= tokens;
    turns.unshift(...pair);
  }
  const older = earlier.slice(0, next + 1);
  left -= counter.count(`${HEADLINE}\n${fence.around('')}\n(${older.length} …)`);
  const lines: string[] = [];
  for (const exchange of older.toReversed()) {
    const line = condensed(exchange);
    left -= counter.count(line) + 1;
    if (left < 0) break;
    lines.unshift(line);
  }
  return { turns, summary: summaryOf(lines, older.length - lines.length, fence) };
}

/** Marks are left out: the numbers were those of other sources. */
function wordForWord(exchange: EarlierExchange | undefined): ChatTurn[] {
  if (exchange === undefined) return [];
  return [
    { role: 'user', text: exchange.question },
    { role: 'assistant', text: exchange.answer.replaceAll(MARK, '') || '(no answer)' },
  ];
}

function condensed({ question, citations }: EarlierExchange): string {
  const quotes = citations.map(({ documentName, snippet }) => `"${defuse(snippet)}" (${defuseLine(documentName)})`);
  return `- ${defuseLine(question)}${quotes.length === 0 ? '' : `\n  ${quotes.join('\n  ')}`}`;
}

function summaryOf(lines: readonly string[], leftOut: number, fence: Fence): string {
  if (lines.length === 0) return '';
  const omitted = leftOut === 0 ? [] : [`(${leftOut} still older ones are left out)`];
  return [HEADLINE, fence.around([...omitted, ...lines].join('\n'))].join('\n');
}
