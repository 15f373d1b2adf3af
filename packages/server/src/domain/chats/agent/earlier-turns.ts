/**
 * Fits the conversation into a number of tokens: the latest exchanges are kept verbatim, older ones are condensed to
 * the question and the cited snippets. Exchanges that do not fit are omitted whole, the oldest first, with a note.
 */
import type { ChatTurn } from '@quire/models/chat-model';
import type { TokenCounter } from '@quire/text/chunk/token-counter';
import type { EarlierExchange } from '../answer-engine.ts';
import { defuse, defuseLine, type Fence } from './fence.ts';

export interface EarlierTurns {
  /** The exchanges that are kept verbatim. */
  turns: ChatTurn[];
  /** The condensed exchanges, which precede the question; empty if there are none. */
  summary: string;
}

/** Share of the tokens for exchanges that are kept verbatim. */
const VERBATIM_SHARE = 0.6;
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
    const pair = verbatim(earlier[next]);
    const tokens = counter.count(pair.map((turn) => turn.text).join('\n'));
    if (tokens > left - maxTokens * (1 - VERBATIM_SHARE)) break;
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

/** Returns the exchange without marks, whose numbers belong to other sources. */
function verbatim(exchange: EarlierExchange | undefined): ChatTurn[] {
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
