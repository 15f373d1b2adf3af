/**
 * The RPC channel to the worker thread that holds the copies. Starts the thread with the first request, and again after
 * it died. Terminates the thread on missed heartbeats while requests are pending.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '@quire/shared/start-thread';
import {
  EMPTY_STATE,
  type CopyRequest,
  type CopyResult,
  type ReplyMessage,
  type RequestMessage,
} from './copy-protocol.ts';

/** Why a request failed: the thread ended, missed its heartbeats, or reported an error. */
export type CopyFailure = 'ended' | 'silent' | 'failed';

export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly reason: CopyFailure;

  constructor(reason: CopyFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A channel to copies. Requests are handled in order; only `load` yields to others between its slices. */
export interface CopyChannel {
  /** Rejects with `CopyError`. The buffers in `transfer` are detached. */
  request(request: CopyRequest, transfer?: readonly ArrayBuffer[]): Promise<CopyResult>;
  /** Called when all copies are lost. */
  onLost: (error: CopyError) => void;
  /** Rejects all pending requests with the reason `ended`. */
  close(): Promise<void>;
}

/** Interval between two heartbeats while requests are pending, in milliseconds. */
const HEARTBEAT_MS = 500;
/**
 * Number of missed heartbeats after which the thread is terminated. Its longest uninterrupted work takes a fraction of
 * a second. Heartbeats are counted instead of time, since time passes for both while the process is stopped.
 */
const MAX_MISSED = 10;
/** The same before the first reply: the thread loads its code, which can take long on a busy machine. */
const MAX_MISSED_AT_START = 120;

interface Waiting {
  resolve: (reply: CopyResult) => void;
  reject: (error: CopyError) => void;
}

export const startCopyThread = (): Worker => startThread(import.meta.url, 'copy-thread.js');

/** Calls `beat` periodically until the returned function is called; does not keep the process alive. */
function everyHeartbeat(beat: () => void): () => void {
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export class ThreadChannel implements CopyChannel {
  readonly #start: () => Worker;
  readonly #everyHeartbeat: (beat: () => void) => () => void;
  #worker: Worker | null = null;
  #stopHeartbeats: () => void = () => undefined;
  /** Heartbeats missed since the last message of the thread, and their limit. */
  #missed = 0;
  #maxMissed = MAX_MISSED_AT_START;
  #waiting = new Map<number, Waiting>();
  #ids = 0;
  /** Requests of this turn of the event loop, sent in one message: waking a thread costs more than a request. */
  #unsent: { id: number; request: CopyRequest }[] = [];
  #transfer: ArrayBuffer[] = [];
  #closed = false;
  onLost: (error: CopyError) => void = () => undefined;

  constructor(start = startCopyThread, heartbeats = everyHeartbeat) {
    this.#start = start;
    this.#everyHeartbeat = heartbeats;
  }

  request(request: CopyRequest, transfer: readonly ArrayBuffer[] = []): Promise<CopyResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new CopyError('ended', 'The thread of the copies was closed'));
        return;
      }
      const id = ++this.#ids;
      this.#waiting.set(id, { resolve, reject });
      if (this.#unsent.length === 0) setImmediate(this.#send);
      this.#unsent.push({ id, request });
      for (const buffer of transfer) this.#transfer.push(buffer);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#lose(new CopyError('ended', 'The thread of the copies was closed'));
    await worker?.terminate();
  }

  readonly #send = (): void => {
    const message: RequestMessage = this.#unsent;
    // The requests were rejected meanwhile.
    if (message.length === 0) return;
    const transfer = this.#transfer;
    [this.#unsent, this.#transfer] = [[], []];
    // Without a thread there is nothing to release.
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
      this.#lose(new CopyError('ended', 'The thread of the copies could not be reached', { cause: error }));
    }
  };

  #open(): Worker {
    const worker = this.#start();
    let cause: unknown;
    worker.on('message', (replies: ReplyMessage) => this.#receive(replies));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#lose(new CopyError('ended', `The thread of the copies has ended with code ${code}`, { cause }));
    });
    [this.#missed, this.#maxMissed] = [0, MAX_MISSED_AT_START];
    this.#stopHeartbeats = this.#everyHeartbeat(() => this.#beat(worker));
    return worker;
  }

  /** Sends a message without requests, which the thread answers at once, also while it loads. */
  #beat(worker: Worker): void {
    if (this.#waiting.size === 0) {
      this.#missed = 0;
      return;
    }
    this.#missed += 1;
    if (this.#missed <= this.#maxMissed) worker.postMessage([] satisfies RequestMessage, []);
    else this.#lose(new CopyError('silent', 'The thread of the copies missed its heartbeats and was terminated'));
  }

  #receive(replies: ReplyMessage): void {
    [this.#missed, this.#maxMissed] = [0, MAX_MISSED];
    for (const { id, reply } of replies) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if ('error' in reply) waiting?.reject(new CopyError('failed', reply.error));
      else waiting?.resolve(reply);
    }
    // An idle thread must not keep the process alive.
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #lose(error: CopyError): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#stopHeartbeats();
    [this.#unsent, this.#transfer] = [[], []];
    void worker?.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.onLost(error);
    for (const { reject } of waiting) reject(error);
  }
}
