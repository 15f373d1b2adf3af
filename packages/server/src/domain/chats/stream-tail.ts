/**
 * Reads an answer's stream out of the database, while it runs in whatever process and afterwards. A reader that is told
 * of no line after its own gets the whole state in one: when the lines have been removed, and when the answer was ended
 * for a process that died, which may have told more than it stored.
 */
import type { Json, Line } from '@quire/diffcp';
import type { Notifications } from '../../database/notifications.ts';
import type { MessageRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { pause } from '@quire/shared/pause';
import type { Conversation, Message } from './conversation.ts';
import { messageTopic, type LineStore } from './lines.ts';

/** A lost connection may lose notifications. */
const RECHECK_MS = 1_000;
const LINES_AT_ONCE = 200;
/** The error of a message whose process died; its end was written by another one. */
export const INTERRUPTED = 'interrupted';

export interface TailDeps {
  lines: LineStore;
  notifications: Notifications;
  /** The exchange as it stands now. */
  exchange: (message: MessageRecord) => Promise<Conversation>;
  /** Whether the message is shown otherwise than its lines told: a document that it cites was deleted. */
  isOutdated: (message: MessageRecord) => Promise<boolean>;
}

export async function* tailStream(
  deps: TailDeps,
  messageId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  let seq = after;
  while (!signal.aborted) {
    const wake = new AbortController();
    const unsubscribe = deps.notifications.subscribe(messageTopic(messageId), () => wake.abort());
    try {
      // The message before its lines: what it says to be the last line is then there to be read.
      const message = await deps.lines.message(messageId);
      if (message === undefined) throw notFound();
      const lines = await deps.lines.after(messageId, seq, LINES_AT_ONCE);
      const isGap = lines.length > 0 && lines[0]?.seq !== seq + 1;
      if (!isGap) {
        yield* lines;
        seq = lines.at(-1)?.seq ?? seq;
      }
      if (message.status !== 'streaming' && (isGap || seq >= message.last_seq || lines.length === 0)) {
        const complete =
          !isGap && seq === message.last_seq && (lines.length > 0 || message.content.error?.type !== INTERRUPTED);
        if (complete && !(await deps.isOutdated(message))) return;
        const exchange = await deps.exchange(message);
        yield wholeState(exchange, exchange.messages[1], seq + 1);
        return;
      }
      if (lines.length === 0) await pause(RECHECK_MS, [wake.signal, signal]);
    } finally {
      unsubscribe();
    }
  }
}

export function wholeState({ chat, messages: [user] }: Conversation, assistant: Message, seq: number): Line {
  const state: Conversation = { chat, messages: [user, assistant] };
  return { seq, ops: [{ op: 'replace', path: '', value: state as unknown as Json }] };
}
