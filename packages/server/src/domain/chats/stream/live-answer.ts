/**
 * A running answer of this process: its state and its lines. Changes are coalesced into at most one line in 20 ms, and
 * lines are stored in batches every 50 ms. The last line is stored before a reader receives it, so that the history is
 * complete when the stream ends. Only lines that are not yet stored or read are kept in memory.
 */
import { diff, type Json, type Line } from '@quire/diffcp';
import type { MessageContent, MessageStatus } from '../../../database/tables.ts';
import { pause } from '@quire/shared/pause';
import type { Conversation, Message } from '../conversation.ts';
import type { Draft, DraftContent } from '../answer-engine.ts';
import { supportOf } from '../sentence-support.ts';

const LINE_MS = 20;
const STORE_MS = 50;
/** Interval at which the whole message is stored, in ms: it is as long as all of its lines together. */
const STORE_WHOLE_MS = 1_000;
/** Number of lines that a reader may lag behind before the answer waits for it. */
const MAX_LAG = 64;

/** Stores lines and, if `whole`, the message; resolves to false if another process has ended the message. */
export type StoreLines = (lines: readonly Line[], message: Message, whole: boolean) => Promise<boolean>;

export class LiveAnswer implements Draft {
  readonly #state: Conversation;
  readonly #store: StoreLines;
  readonly #stopped = new AbortController();
  /** The state after the last line. */
  #sent: Json;
  /** Lines from number `#firstLine` on. */
  #lines: Line[];
  #firstLine = 0;
  #stored = 1;
  /** Whether the stored message equals the state after its stored lines, and when it was last stored. */
  #isWhole = true;
  #wholeAt = performance.now();
  #ending = false;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #storeTimer: NodeJS.Timeout | undefined;
  #storeAt = 0;
  #isStoring = false;
  #storing: Promise<void> = Promise.resolve();
  #lastLineAt = performance.now();
  /** Number of lines that the reader has read; undefined without a reader. */
  #read: number | undefined;
  #wasRead = false;
  /** Resolvers of callers that wait for the next change. */
  #waiting: (() => void)[] = [];

  /** The caller has stored the first line already. */
  constructor(state: Conversation, store: StoreLines) {
    this.#state = state;
    this.#store = store;
    this.#sent = toJson(state);
    this.#lines = [firstLine(state)];
  }

  get state(): Conversation {
    return this.#state;
  }

  /** Counts a mark that was removed from the answer; readers receive the number with the next line. */
  countDroppedMark(): void {
    this.#state.messages[1].droppedMarks += 1;
  }

  /** Aborted, with its reason, when the answer must end. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  stop(reason: 'stopped' | 'lost' | 'shutdown'): void {
    this.#stopped.abort(reason);
    this.#wakeAll();
  }

  async write(change: (content: DraftContent) => void): Promise<void> {
    this.signal.throwIfAborted();
    change(this.#state.messages[1]);
    const due = this.#lastLineAt + LINE_MS - performance.now();
    this.#timer ??= setTimeout(() => this.#addLine(), Math.max(0, due));
    while (this.#read !== undefined && this.#lineCount - this.#read > MAX_LAG) {
      await this.#changed();
      this.signal.throwIfAborted();
    }
  }

  /** Ends the answer with a line that sets the status. Rejects if it could not be stored; readers end in any case. */
  async end(status: MessageStatus, last: Pick<MessageContent, 'usage' | 'error'>): Promise<void> {
    this.#ending = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#storeTimer);
    try {
      await this.#storing;
      await pause(this.#lastLineAt + LINE_MS - performance.now());
      const message = this.#state.messages[1];
      Object.assign(message, { ...last, status, support: supportOf(message) });
      const line = this.#nextLine();
      if (await this.#store([...this.#unstored(), line], message, true)) this.#lines.push(line);
    } finally {
      this.#ended = true;
      this.#wakeAll();
    }
  }

  /** Yields all lines as they arrive. Supports one reader: the request that posted the question. */
  async *read(): AsyncGenerator<Line> {
    this.#read = 0;
    try {
      for (;;) {
        const line = this.#lines[this.#read - this.#firstLine];
        if (line !== undefined) {
          yield line;
          this.#read += 1;
          this.#wakeAll();
        } else if (this.#ended) return;
        else await this.#changed();
      }
    } finally {
      this.#read = undefined;
      this.#wasRead = true;
      this.#wakeAll();
    }
  }

  /** Resolves when the answer has ended. */
  async finished(): Promise<void> {
    while (!this.#ended) await this.#changed();
  }

  #addLine(): void {
    this.#timer = undefined;
    this.#lastLineAt = performance.now();
    this.#lines.push(this.#nextLine());
    if (!this.#isStoring) this.#storeIn(STORE_MS);
    this.#wakeAll();
  }

  get #lineCount(): number {
    return this.#firstLine + this.#lines.length;
  }

  #unstored(): readonly Line[] {
    return this.#lines.slice(this.#stored - this.#firstLine);
  }

  /** Schedules a store, unless an earlier one is scheduled. */
  #storeIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#storeTimer !== undefined && this.#storeAt <= at) return;
    clearTimeout(this.#storeTimer);
    this.#storeAt = at;
    this.#storeTimer = setTimeout(() => {
      this.#storeTimer = undefined;
      this.#storing = this.#storeSome();
    }, ms);
  }

  #nextLine(): Line {
    const now = toJson(this.#state);
    const line = { seq: this.#lineCount, ops: diff(this.#sent, now) };
    this.#sent = now;
    return line;
  }

  /** Stores lines; a batch that fails is stored with the next one. */
  async #storeSome(): Promise<void> {
    const lines = this.#unstored();
    const sent = this.#sent as unknown as Conversation;
    const whole = performance.now() - this.#wholeAt >= STORE_WHOLE_MS;
    this.#isStoring = true;
    try {
      if (!(await this.#store(lines, sent.messages[1], whole))) return this.stop('lost');
      this.#stored += lines.length;
      this.#isWhole = whole;
      if (whole) this.#wholeAt = performance.now();
      this.#forget();
    } catch {
      // `end` stores missing lines, and fails the answer if it cannot.
    } finally {
      this.#isStoring = false;
      if (!this.#ending && this.#stored < this.#lineCount) this.#storeIn(STORE_MS);
      else if (!this.#ending && !this.#isWhole) this.#storeIn(STORE_WHOLE_MS);
    }
  }

  /** Drops lines that are stored and read. */
  #forget(): void {
    const read = this.#read ?? (this.#wasRead ? this.#stored : 0);
    const forgotten = Math.min(this.#stored, read) - this.#firstLine;
    if (forgotten <= 0) return;
    this.#lines = this.#lines.slice(forgotten);
    this.#firstLine += forgotten;
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Called some hundred times a second: an AbortController per call took 10 % of the time of a stream. */
  #wakeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

export const firstLine = (state: Conversation): Line => ({
  seq: 0,
  ops: [{ op: 'replace', path: '', value: toJson(state) }],
});

/** Copies the parts and citations of the answer, which later changes modify; shares the rest. */
function toJson({ chat, messages: [user, answer] }: Conversation): Json {
  const parts = answer.parts.map((part) => ({ ...part }));
  const citations = answer.citations.map((each) => ({ ...each, spans: each.spans.map((span) => ({ ...span })) }));
  return { chat, messages: [user, { ...answer, parts, citations }] } as unknown as Json;
}
