/**
 * An answer under way in this process: its state, and the lines that tell how it came about. Changes are gathered into
 * at most one line in 20 ms, lines are stored in batches every 50 ms, and the last line is stored before anyone sees it,
 * so that who has read the end finds it in the history. Memory is that of the answer, and of the lines that are not yet
 * stored or read.
 */
import { diff, type Json, type Line } from '@quire/diffcp';
import type { MessageContent, MessageStatus } from '../../database/tables.ts';
import { pause } from '@quire/shared/pause';
import type { Conversation, Message } from './conversation.ts';
import type { Draft } from './answer-engine.ts';

const LINE_MS = 20;
const STORE_MS = 50;
/** The message itself is stored less often than its lines: it is as long as all of them together. */
const STORE_WHOLE_MS = 1_000;
/** Lines that a reader may be behind before the answer waits for it. */
const MAX_LAG = 64;

/** Stores lines and, if `whole`, the message as they leave it; false when the message was ended by another process. */
export type StoreLines = (lines: readonly Line[], message: Message, whole: boolean) => Promise<boolean>;

export class LiveAnswer implements Draft {
  readonly #state: Conversation;
  readonly #store: StoreLines;
  readonly #stopped = new AbortController();
  #told: Json;
  /** From number `#firstLine` on. */
  #lines: Line[];
  #firstLine = 0;
  #stored = 1;
  /** Whether the message is stored as its stored lines leave it, and when it last was. */
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
  /** Where the reader of the request is; undefined without one. */
  #read: number | undefined;
  #wasRead = false;
  /** Who waits for the next change. */
  #waiting: (() => void)[] = [];

  /** The first line is stored already. */
  constructor(state: Conversation, store: StoreLines) {
    this.#state = state;
    this.#store = store;
    this.#told = toJson(state);
    this.#lines = [firstLine(state)];
  }

  get state(): Conversation {
    return this.#state;
  }

  /** Aborted with its reason when the answer is to end now. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  stop(reason: 'stopped' | 'lost' | 'shutdown'): void {
    this.#stopped.abort(reason);
    this.#wakeAll();
  }

  async write(change: (content: Pick<MessageContent, 'parts' | 'citations'>) => void): Promise<void> {
    this.signal.throwIfAborted();
    change(this.#state.messages[1]);
    const due = this.#lastLineAt + LINE_MS - performance.now();
    this.#timer ??= setTimeout(() => this.#tell(), Math.max(0, due));
    while (this.#read !== undefined && this.#lineCount - this.#read > MAX_LAG) {
      await this.#changed();
      this.signal.throwIfAborted();
    }
  }

  /** The last line sets the status. Rejects when it could not be stored; readers end all the same. */
  async end(status: MessageStatus, last: Pick<MessageContent, 'usage' | 'error'>): Promise<void> {
    this.#ending = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#storeTimer);
    try {
      await this.#storing;
      await pause(this.#lastLineAt + LINE_MS - performance.now());
      const message = this.#state.messages[1];
      Object.assign(message, { ...last, status });
      const line = this.#nextLine();
      if (await this.#store([...this.#unstored(), line], message, true)) this.#lines.push(line);
    } finally {
      this.#ended = true;
      this.#wakeAll();
    }
  }

  /** All lines from the first on, as they come. One reader: the request that asked. */
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

  /** Resolves at the end of the answer. */
  async finished(): Promise<void> {
    while (!this.#ended) await this.#changed();
  }

  #tell(): void {
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

  /** The sooner of this and what was planned before. */
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
    const line = { seq: this.#lineCount, ops: diff(this.#told, now) };
    this.#told = now;
    return line;
  }

  /** A batch that cannot be stored is tried again with the next one. */
  async #storeSome(): Promise<void> {
    const lines = this.#unstored();
    const told = this.#told as unknown as Conversation;
    const whole = performance.now() - this.#wholeAt >= STORE_WHOLE_MS;
    this.#isStoring = true;
    try {
      if (!(await this.#store(lines, told.messages[1], whole))) return this.stop('lost');
      this.#stored += lines.length;
      this.#isWhole = whole;
      if (whole) this.#wholeAt = performance.now();
      this.#forget();
    } catch {
      // `end` stores what is missing, and fails the answer when it cannot.
    } finally {
      this.#isStoring = false;
      if (!this.#ending && this.#stored < this.#lineCount) this.#storeIn(STORE_MS);
      else if (!this.#ending && !this.#isWhole) this.#storeIn(STORE_WHOLE_MS);
    }
  }

  /** Lines that are stored and read. */
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

  /** Happens some hundred times a second: with an AbortController for each it took a tenth of the time of a stream. */
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

/** A copy that later changes do not touch: they are made to parts and citations of the answer, all else is shared. */
function toJson({ chat, messages: [user, answer] }: Conversation): Json {
  const parts = answer.parts.map((part) => ({ ...part }));
  const citations = answer.citations.map((each) => ({ ...each, spans: each.spans.map((span) => ({ ...span })) }));
  return { chat, messages: [user, { ...answer, parts, citations }] } as unknown as Json;
}
