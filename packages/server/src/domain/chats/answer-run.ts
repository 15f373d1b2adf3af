/** Runs one answer. If a step fails, the message still ends, with the text written so far, and is metered. */
import type { MessageStatus, MessageUsage } from '../../database/tables.ts';
import { ContentError } from '@quire/blocks/content-error';
import type { Logger } from '../../logger.ts';
import type { TokenUsage } from '@quire/models/chat-model';
import type { AnswerEngine, AnswerMeter, AnswerRequest, Draft } from './answer-engine.ts';
import type { Conversation } from './conversation.ts';
import type { LiveAnswer } from './stream/live-answer.ts';
import { INTERRUPTED } from './stream/stream-tail.ts';

export interface AnswerMetrics {
  countAnswer(status: MessageStatus): void;
  countRetrieval(): void;
  countTokens(usage: TokenUsage): void;
  countDroppedMark(reason: 'unknown' | 'unverified'): void;
  observeFirstLine(seconds: number): void;
  observeFirstText(seconds: number): void;
}

export interface AnswerRunDeps {
  engine: AnswerEngine;
  metrics: AnswerMetrics;
  logger: Logger;
  /** Value of `performance.now()` when the question arrived. */
  startedAt: number;
}

interface Ending {
  status: MessageStatus;
  error: { type: string; message: string } | null;
}

/** Runs the engine on the question, then ends the message as done, stopped or failed. Never rejects. */
export async function runAnswer(
  live: LiveAnswer,
  request: Omit<AnswerRequest, 'signal'>,
  { engine, metrics, logger, startedAt }: AnswerRunDeps,
): Promise<void> {
  const messageId = live.state.messages[1].id;
  const firstLineMs = elapsed(startedAt);
  const usage: MessageUsage = {
    inputTokens: 0,
    outputTokens: 0,
    retrievals: 0,
    firstLineMs,
    firstTextMs: null,
    totalMs: 0,
  };
  metrics.observeFirstLine(firstLineMs / 1000);
  const retrieve: AnswerRequest['retrieve'] = (query, limit) => {
    usage.retrievals += 1;
    metrics.countRetrieval();
    return request.retrieve(query, limit);
  };
  const draft = timed(live, () => (usage.firstTextMs ??= elapsed(startedAt)));
  const meter = meterOf(usage, live, metrics);
  let ending: Ending = { status: 'done', error: null };
  try {
    const answering = engine.answer({ ...request, retrieve, signal: live.signal }, draft, meter);
    await Promise.race([answering, rejectWhenStopped(live.signal)]);
  } catch (error) {
    ending = endingOf(live.signal, error);
    if (!live.signal.aborted) logger.error({ err: error, messageId }, 'an answer failed');
  }
  settleTools(live.state);
  usage.totalMs = elapsed(startedAt);
  if (usage.firstTextMs !== null) metrics.observeFirstText(usage.firstTextMs / 1000);
  metrics.countTokens(usage);
  metrics.countAnswer(ending.status);
  await live.end(ending.status, { usage: { ...usage }, error: ending.error }).catch((error: unknown) => {
    // The message still streams in the database, so the reaper ends it.
    logger.error({ err: error, messageId }, 'the end of an answer could not be stored');
  });
}

/** Wraps the draft, and calls `onText` after each write once there is text. */
function timed(draft: Draft, onText: () => void): Draft {
  return {
    write: (change) =>
      draft.write((content) => {
        change(content);
        if (content.parts.some((part) => part.type === 'text' && part.text !== '')) onText();
      }),
  };
}

function meterOf(usage: MessageUsage, live: LiveAnswer, metrics: AnswerMetrics): AnswerMeter {
  return {
    spend: ({ inputTokens, outputTokens }) => {
      usage.inputTokens += inputTokens;
      usage.outputTokens += outputTokens;
    },
    dropMark: (reason) => {
      live.countDroppedMark();
      metrics.countDroppedMark(reason);
    },
  };
}

/** Rejects as soon as the answer is stopped, also while the engine waits. */
function rejectWhenStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(new Error(`the answer was ended: ${String(signal.reason)}`));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}

function endingOf(signal: AbortSignal, error: unknown): Ending {
  if (signal.reason === 'stopped') return { status: 'stopped', error: null };
  if (signal.aborted) return { status: 'failed', error: { type: INTERRUPTED, message: 'The service was stopped' } };
  if (error instanceof ContentError) return { status: 'failed', error: { type: error.type, message: error.message } };
  return { status: 'failed', error: { type: 'internal', message: 'The answer failed; the log says why' } };
}

/** Marks tool calls that were running when the answer ended as failed. */
function settleTools(state: Conversation): void {
  for (const part of state.messages[1].parts) {
    if (part.type === 'tool' && part.status === 'running') part.status = 'failed';
  }
}

const elapsed = (since: number): number => Math.round((performance.now() - since) * 10) / 10;
