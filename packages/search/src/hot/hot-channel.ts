/**
 * The way to the thread of the copies: starts it when there is something to ask, and again when it has died. One that owes
 * answers is asked for a sign of life now and then, and ended when it gives none.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '@quire/shared/start-thread';
import {
  EMPTY_STATE,
  type HotRequest,
  type HotResult,
  type ReplyMessage,
  type RequestMessage,
} from './hot-protocol.ts';

/** Why a copy did not answer: its thread ended, gave no sign of life, or could not do what it was asked. */
export type HotFailure = 'ended' | 'silent' | 'failed';

export class HotCopyError extends Error {
  override readonly name = 'HotCopyError';
  readonly reason: HotFailure;

  constructor(reason: HotFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** To where copies are kept. Requests are done in the order they were asked, only loading takes its time. */
export interface HotChannel {
  /** Rejects with `HotCopyError`. What is in `transfer` is gone here afterwards. */
  ask(request: HotRequest, transfer?: readonly ArrayBuffer[]): Promise<HotResult>;
  /** Called when all copies are lost. */
  onLost: (error: HotCopyError) => void;
  /** Whoever still waits is told that it has ended. */
  close(): Promise<void>;
}

/**
 * Between two looks at a thread that owes answers, and how many without a sign from it end it. Its longest work in one piece
 * takes a fraction of a second. Looks are counted, not time, which passes for both while the process is stopped.
 */
const LOOK_MS = 500;
const MAX_SILENT_LOOKS = 10;
/** Before its first sign it loads its code, which a busy machine may take long for. */
const MAX_SILENT_LOOKS_AT_START = 120;

const NOW = Promise.resolve();

interface Waiting {
  resolve: (reply: HotResult) => void;
  reject: (error: HotCopyError) => void;
}

export const startHotThread = (): Worker => startThread(import.meta.url, 'hot-thread.js');

/** Looks again and again, until the function that it gives is called; keeps no process from ending. */
function lookEvery(look: () => void): () => void {
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export class ThreadChannel implements HotChannel {
  readonly #start: () => Worker;
  readonly #lookEvery: (look: () => void) => () => void;
  #worker: Worker | null = null;
  #stopLooking: () => void = () => undefined;
  /** Since the last sign of life, and how many are too many. */
  #silentLooks = 0;
  #maxSilentLooks = MAX_SILENT_LOOKS_AT_START;
  #waiting = new Map<number, Waiting>();
  #ids = 0;
  /** Asked in this turn of the event loop: they go in one message. */
  #unsent: { id: number; request: HotRequest }[] = [];
  #transfer: ArrayBuffer[] = [];
  #closed = false;
  onLost: (error: HotCopyError) => void = () => undefined;

  constructor(start = startHotThread, looking = lookEvery) {
    this.#start = start;
    this.#lookEvery = looking;
  }

  ask(request: HotRequest, transfer: readonly ArrayBuffer[] = []): Promise<HotResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new HotCopyError('ended', 'The thread of the copies has been ended'));
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
    this.#lose(new HotCopyError('ended', 'The thread of the copies has been ended'));
    await worker?.terminate();
  }

  #send(): void {
    const message: RequestMessage = this.#unsent;
    const transfer = this.#transfer;
    [this.#unsent, this.#transfer] = [[], []];
    // Where there is no thread there is nothing to give back.
    if (this.#worker === null && message.every(({ request }) => request.do === 'release')) {
      for (const { id } of message) this.#waiting.get(id)?.resolve({ state: EMPTY_STATE });
      for (const { id } of message) this.#waiting.delete(id);
      return;
    }
    try {
      this.#worker ??= this.#open();
      this.#worker.postMessage(message, transfer);
      this.#worker.ref();
    } catch (error) {
      this.#lose(new HotCopyError('ended', 'The thread of the copies could not be asked', { cause: error }));
    }
  }

  #open(): Worker {
    const worker = this.#start();
    let cause: unknown;
    worker.on('message', (replies: ReplyMessage) => this.#receive(replies));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#lose(new HotCopyError('ended', `The thread of the copies has ended with code ${code}`, { cause }));
    });
    [this.#silentLooks, this.#maxSilentLooks] = [0, MAX_SILENT_LOOKS_AT_START];
    this.#stopLooking = this.#lookEvery(() => this.#look(worker));
    return worker;
  }

  /** A message without requests is answered as soon as the thread comes to it, also while it loads. */
  #look(worker: Worker): void {
    if (this.#waiting.size === 0) {
      this.#silentLooks = 0;
      return;
    }
    this.#silentLooks += 1;
    if (this.#silentLooks <= this.#maxSilentLooks) worker.postMessage([] satisfies RequestMessage, []);
    else this.#lose(new HotCopyError('silent', 'The thread of the copies gave no sign of life and was ended'));
  }

  #receive(replies: ReplyMessage): void {
    [this.#silentLooks, this.#maxSilentLooks] = [0, MAX_SILENT_LOOKS];
    for (const { id, reply } of replies) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if ('error' in reply) waiting?.reject(new HotCopyError('failed', reply.error));
      else waiting?.resolve(reply);
    }
    // An idle copy must not keep the process from ending.
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #lose(error: HotCopyError): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#stopLooking();
    [this.#unsent, this.#transfer] = [[], []];
    void worker?.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.onLost(error);
    for (const { reject } of waiting) reject(error);
  }
}
