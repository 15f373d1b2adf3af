import { Fold } from '@quire/diffcp';
import type { Conversation, Message } from '../api.ts';
import { FailedError } from '../errors.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { changes, type AnswerEvent } from './events.ts';
import { LineStream, type Asked } from './line-stream.ts';

/**
 * The answer to a question while it is written. Iterate it for its states (the newest one each time), iterate
 * `events()` for the changes, or await `final`. Nothing is buffered: a slow reader slows the connection down and gets
 * fewer, newer states. Leaving a loop early does not end the answer on the server; `stop()` does.
 */
export class Answer implements AsyncIterable<Conversation> {
  readonly #fold = new Fold();
  readonly #lines: LineStream;
  #step: Promise<void> | undefined;
  #end: { error?: unknown } | undefined;
  #readers = 0;
  #final: Promise<Message> | undefined;

  constructor(transport: Transport, chatId: string, asked: Asked, options: CallOptions) {
    this.#lines = new LineStream(transport, chatId, asked, options);
  }

  /** The newest state that was read; undefined before the first line. */
  get state(): Conversation | undefined {
    return (this.#fold.state ?? undefined) as unknown as Conversation | undefined;
  }

  /** Sequence number of the last line that was read; -1 before the first one. */
  get seq(): number {
    return this.#fold.seq;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Conversation, void, undefined> {
    let seen = -1;
    this.#readers += 1;
    try {
      while (await this.#advance(seen)) {
        seen = this.#fold.seq;
        if (this.state !== undefined) yield this.state;
      }
    } finally {
      await this.#leave();
    }
  }

  /** Yields what changed since the last event: text as it grows, reasoning, tool calls, citations, and the end. */
  async *events(): AsyncGenerator<AnswerEvent, void, undefined> {
    let before: Message | undefined;
    for await (const { messages } of this) {
      const [, answer] = messages;
      if (answer === undefined) continue;
      yield* changes(before, answer);
      before = answer;
    }
  }

  /** The complete answer. Rejects with a `FailedError` if the answer failed; a stopped one is returned as it is. */
  get final(): Promise<Message> {
    if (this.#final === undefined) {
      this.#final = this.#readToEnd();
      // It may be taken long before it is awaited, which must not end the process.
      this.#final.catch(() => undefined);
    }
    return this.#final;
  }

  /** Ends the answer on the server and returns what there is of it. */
  async stop(): Promise<Message> {
    // The first line names the message.
    if (this.#fold.seq < 0) for await (const _ of this) break;
    return this.#lines.stop();
  }

  async #readToEnd(): Promise<Message> {
    let answer: Message | undefined;
    for await (const { messages } of this) answer = messages[1];
    if (answer === undefined || answer.status === 'failed')
      throw new FailedError('the answer', answer, answer?.error ?? null);
    return answer;
  }

  /** Resolves to whether there is a state newer than line `seen`; false at the end. Readers share the lines. */
  async #advance(seen: number): Promise<boolean> {
    while (this.#fold.seq <= seen && this.#end === undefined)
      await (this.#step ??= this.#readLine().finally(() => (this.#step = undefined)));
    if (this.#fold.seq > seen) return true;
    if (this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
    return false;
  }

  async #readLine(): Promise<void> {
    try {
      this.#fold.push(await this.#lines.next(this.#fold.seq));
      const answer = this.state?.messages[1];
      this.#lines.messageId = answer?.id;
      if (answer?.status === 'streaming') return;
      this.#end = {};
    } catch (error) {
      this.#end = { error };
    }
    await this.#lines.end();
  }

  /** Gives the connection back when its last reader has left; another reader opens a new one. */
  async #leave(): Promise<void> {
    this.#readers -= 1;
    if (this.#readers === 0) await this.#lines.close();
  }
}
