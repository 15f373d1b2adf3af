/** The way to the thread of the copies: starts it when there is something to ask, and again when it has died. */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../shared/start-thread.ts';
import type { HotReply, HotRequest, ReplyMessage, RequestMessage } from './hot-protocol.ts';

/** A copy did not answer: the thread has ended, or could not do what it was asked. */
export class HotCopyError extends Error {
  override readonly name = 'HotCopyError';
}

/** To where copies are kept. Requests are done in the order they were asked, only loading takes its time. */
export interface HotChannel {
  /** Rejects with `HotCopyError`. What is in `transfer` is gone here afterwards. */
  ask(request: HotRequest, transfer?: readonly ArrayBuffer[]): Promise<Exclude<HotReply, { error: string }>>;
  /** Called when all copies are lost. */
  onLost: (error: HotCopyError) => void;
  /** Whoever still waits is told that it has ended. */
  close(): Promise<void>;
}

const NOW = Promise.resolve();

interface Waiting {
  resolve: (reply: Exclude<HotReply, { error: string }>) => void;
  reject: (error: HotCopyError) => void;
}

export const startHotThread = (): Worker => startThread(new URL('./hot-thread.js', import.meta.url));

export class ThreadChannel implements HotChannel {
  readonly #start: () => Worker;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #ids = 0;
  /** Asked in this turn of the event loop: they go in one message. */
  #unsent: { id: number; request: HotRequest }[] = [];
  #transfer: ArrayBuffer[] = [];
  #closed = false;
  onLost: (error: HotCopyError) => void = () => undefined;

  constructor(start: () => Worker = startHotThread) {
    this.#start = start;
  }

  ask(request: HotRequest, transfer: readonly ArrayBuffer[] = []): Promise<Exclude<HotReply, { error: string }>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new HotCopyError('The thread of the copies has been ended'));
        return;
      }
      const id = ++this.#ids;
      this.#waiting.set(id, { resolve, reject });
      // `queueMicrotask` makes an AsyncResource each time.
      if (this.#unsent.length === 0) void NOW.then(() => this.#send());
      this.#unsent.push({ id, request });
      for (const buffer of transfer) this.#transfer.push(buffer);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#lose(new HotCopyError('The thread of the copies has been ended'));
    await worker?.terminate();
  }

  #send(): void {
    const message: RequestMessage = this.#unsent;
    const transfer = this.#transfer;
    [this.#unsent, this.#transfer] = [[], []];
    // Where there is no thread there is nothing to give back.
    if (this.#worker === null && message.every(({ request }) => request.do === 'release')) {
      for (const { id } of message) this.#waiting.delete(id);
      return;
    }
    try {
      this.#worker ??= this.#open();
      this.#worker.postMessage(message, transfer);
      this.#worker.ref();
    } catch (error) {
      this.#lose(new HotCopyError('The thread of the copies could not be asked', { cause: error }));
    }
  }

  #open(): Worker {
    const worker = this.#start();
    let cause: unknown;
    worker.on('message', (replies: ReplyMessage) => this.#receive(replies));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#lose(new HotCopyError(`The thread of the copies has ended with code ${code}`, { cause }));
    });
    return worker;
  }

  #receive(replies: ReplyMessage): void {
    for (const { id, reply } of replies) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if ('error' in reply) waiting?.reject(new HotCopyError(reply.error));
      else waiting?.resolve(reply);
    }
    // An idle copy must not keep the process from ending.
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #lose(error: HotCopyError): void {
    const worker = this.#worker;
    this.#worker = null;
    [this.#unsent, this.#transfer] = [[], []];
    void worker?.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.onLost(error);
    for (const { reject } of waiting) reject(error);
  }
}
