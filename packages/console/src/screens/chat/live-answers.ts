/**
 * Answers while they are written, by chat. They live beside the screens, so that navigation does not end them. States
 * are passed on at most once a frame.
 */
import type { Answer, Conversation, Quire } from '@quire/client';
import { useSyncExternalStore } from 'react';

export interface LiveAnswer {
  /** The newest state; undefined until the first line. */
  state: Conversation | undefined;
  query: string | undefined;
  isRunning: boolean;
  error: unknown;
}

let answers: ReadonlyMap<string, LiveAnswer> = new Map();
const listeners = new Set<() => void>();

function set(chatId: string, answer: LiveAnswer | undefined): void {
  const next = new Map(answers);
  if (answer === undefined) next.delete(chatId);
  else next.set(chatId, answer);
  answers = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLiveAnswer = (chatId: string): LiveAnswer | undefined =>
  useSyncExternalStore(subscribe, () => answers.get(chatId));

/** Questions that are on their way, by chat. */
const asking = new Map<string, AbortController>();

/** Sends a question; resolves at the end of its answer. While the service is unavailable, it is sent again. */
export async function askQuestion(quire: Quire, chatId: string, query: string): Promise<void> {
  const controller = new AbortController();
  asking.set(chatId, controller);
  await read(chatId, quire.chat(chatId).ask(query, { signal: controller.signal }), query);
  if (asking.get(chatId) === controller) asking.delete(chatId);
}

/** Ends the attempts to send a question that the service has not accepted. */
export function cancelQuestion(chatId: string): void {
  asking.get(chatId)?.abort(new Error('You stopped the question before the service accepted it.'));
}

/** Follows an answer that another page, or this one before a reload, has begun. */
export async function followAnswer(quire: Quire, chatId: string, messageId: string): Promise<void> {
  if (answers.get(chatId)?.isRunning === true) return;
  await read(chatId, quire.chat(chatId).follow(messageId), undefined);
}

/** Forgets an answer that the history contains, or a question that was refused. A newer one that runs stays. */
export function dropAnswer(chatId: string): void {
  if (answers.get(chatId)?.isRunning === false) set(chatId, undefined);
}

async function read(chatId: string, answer: Answer, query: string | undefined): Promise<void> {
  let live: LiveAnswer = { state: undefined, query, isRunning: true, error: undefined };
  let frame: number | undefined;
  const show = (): void => {
    frame = undefined;
    set(chatId, live);
  };
  show();
  try {
    for await (const state of answer) {
      live = { ...live, state };
      // A page in the background has no frames; it is drawn when it is shown again.
      frame ??= requestAnimationFrame(show);
    }
    live = { ...live, isRunning: false };
  } catch (error) {
    live = { ...live, isRunning: false, error };
  }
  if (frame !== undefined) cancelAnimationFrame(frame);
  show();
}
