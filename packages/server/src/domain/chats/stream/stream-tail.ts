/**
 * Reads an answer's stream from the database, during the answer and afterwards. A reader gets the whole state in one
 * line if the lines after its own were removed, or if the answer was ended for a dead process, which may have sent more
 * lines than it stored.
 */
import type { Json, Line } from '@quire/diffcp';
import type { Notifications } from '../../../database/notifications.ts';
import type { MessageRecord } from '../../../database/tables.ts';
import { notFound } from '../../../errors.ts';
import { pause } from '@quire/shared/pause';
import type { Conversation, Message } from '../conversation.ts';
import { messageTopic, type LineStore } from './lines.ts';

/** Interval at which the database is read without a notification, in ms: a lost connection may lose some. */
const RECHECK_MS = 1_000;
const LINES_PER_READ = 200;
/** Error type of a message whose process died; another process wrote its end. */
export const INTERRUPTED = 'interrupted';

export interface TailDeps {
  lines: LineStore;
  notifications: Notifications;
  /** Returns the exchange in its present state. */
  exchange: (message: MessageRecord) => Promise<Conversation>;
  /** Whether the message differs from the state after its lines, because a cited document was deleted. */
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
      // Reads the message before its lines, so that the last line that it names is already stored.
      const message = await deps.lines.message(messageId);
      if (message === undefined) throw notFound();
      const lines = await deps.lines.after(messageId, seq, LINES_PER_READ);
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
