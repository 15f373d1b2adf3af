/**
 * Stores the lines of all answers of this process in batches: lines that arrive during a write form the next batch, so
 * one statement runs at a time, however many answers stream.
 */
import type { Line } from '@quire/diffcp';
import type { Message } from '../conversation.ts';
import type { StoredLines } from './lines.ts';

export interface LineTarget {
  /** Returns the ids of the messages that still stream; nothing is stored for the others. */
  storeAll(batch: readonly StoredLines[]): Promise<ReadonlySet<string>>;
}

interface Waiting extends StoredLines {
  resolve: (stored: boolean) => void;
  reject: (error: unknown) => void;
}

const MAX_BATCH = 100;

export class LineBatches {
  readonly #target: LineTarget;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(target: LineTarget) {
    this.#target = target;
  }

  /** Resolves to false if another process has ended the message. */
  store(lines: readonly Line[], message: Message, whole: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines, message, whole, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH);
      this.#waiting = this.#waiting.slice(MAX_BATCH);
      await this.#settle(batch);
    }
    this.#isWriting = false;
  }

  /** Stores the items of a failed batch singly, so that an answer fails only by its own error. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await this.#target.storeAll(batch);
      for (const each of batch) each.resolve(stored.has(each.message.id));
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      else for (const each of batch) await this.#settle([each]);
    }
  }
}
