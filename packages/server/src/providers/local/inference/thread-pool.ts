/**
 * The inference threads of one model. Batches of queries go before those of documents; as documents come in small batches
 * (see `plan-batches.ts`), a query waits for the rest of one. Threads start when there is work for them, up to the limit.
 */
import { startThread } from '../../../shared/start-thread.ts';
import { deferred, toError } from './deferred.ts';
import type { BatchReply, ThreadData, ThreadMessage } from './inference-protocol.ts';

export type Priority = 'query' | 'documents';

/** A place where batches are run, one at a time: a thread, or a stand-in in tests. */
export interface BatchRunner {
  /** Rejects when the batch fails, or the runner ends. */
  run(rows: readonly Int32Array[]): Promise<Float32Array>;
  close(): Promise<void>;
}

interface Waiting {
  rows: readonly Int32Array[];
  resolve: (vectors: Float32Array) => void;
  reject: (error: Error) => void;
  signal: AbortSignal;
}

export class ThreadPool {
  readonly #start: () => Promise<BatchRunner>;
  readonly #limit: number;
  readonly #idle: BatchRunner[] = [];
  readonly #lanes: Record<Priority, Waiting[]> = { query: [], documents: [] };
  readonly #runners = new Set<BatchRunner>();
  #starting = 0;
  #closed = false;

  constructor(start: () => Promise<BatchRunner>, limit: number) {
    this.#start = start;
    this.#limit = limit;
  }

  /** Rejects with the signal's reason as soon as it is aborted; a batch that runs already runs to its end, unheard. */
  async run(rows: readonly Int32Array[], priority: Priority, signal: AbortSignal): Promise<Float32Array> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error('The embedder is closed');
    const { promise, resolve, reject } = deferred<Float32Array>();
    const waiting: Waiting = { rows, resolve, reject, signal };
    const onAbort = (): void => {
      this.#forget(waiting, priority);
      reject(toError(signal.reason));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#lanes[priority].push(waiting);
    this.#dispatch();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(new Error('The embedder is closed'));
    await Promise.all([...this.#runners].map((runner) => runner.close()));
  }

  #forget(waiting: Waiting, priority: Priority): void {
    const lane = this.#lanes[priority];
    const index = lane.indexOf(waiting);
    if (index >= 0) lane.splice(index, 1);
  }

  #rejectAll(error: Error): void {
    for (const lane of Object.values(this.#lanes)) for (const waiting of lane.splice(0)) waiting.reject(error);
  }

  #dispatch(): void {
    const queued = this.#lanes.query.length + this.#lanes.documents.length;
    while (this.#idle.length > 0 && (this.#lanes.query.length > 0 || this.#lanes.documents.length > 0)) {
      const runner = this.#idle.pop();
      const waiting = this.#lanes.query.shift() ?? this.#lanes.documents.shift();
      if (runner !== undefined && waiting !== undefined) void this.#runOn(runner, waiting);
    }
    if (queued > this.#starting && this.#runners.size + this.#starting < this.#limit && this.#idle.length === 0) {
      void this.#grow();
    }
  }

  async #runOn(runner: BatchRunner, waiting: Waiting): Promise<void> {
    try {
      waiting.resolve(await runner.run(waiting.rows));
      this.#idle.push(runner);
    } catch (error) {
      // Its state is not to be trusted: the next batch gets a new one.
      waiting.reject(toError(error));
      this.#runners.delete(runner);
      await runner.close();
    }
    if (!this.#closed) this.#dispatch();
  }

  async #grow(): Promise<void> {
    this.#starting++;
    try {
      const runner = await this.#start();
      this.#runners.add(runner);
      if (this.#closed) await runner.close();
      else this.#idle.push(runner);
    } catch (error) {
      // With another at work the queue still moves; without any, nothing would ever answer.
      if (this.#runners.size === 0) this.#rejectAll(toError(error));
    } finally {
      this.#starting--;
    }
    if (!this.#closed) this.#dispatch();
  }
}

/** Starts a thread with the model loaded. */
export async function startInferenceThread(data: ThreadData): Promise<BatchRunner> {
  const worker = startThread(new URL('./inference-thread.js', import.meta.url), data);
  worker.unref();
  let pending = deferred<ThreadMessage>();
  const fail = (error: Error): void => pending.reject(error);
  worker.on('message', (message: ThreadMessage) => pending.resolve(message));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The inference thread has ended')));
  await pending.promise;
  return {
    async run(rows) {
      pending = deferred<ThreadMessage>();
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ rows });
      try {
        return vectorsOf(await pending.promise);
      } finally {
        worker.unref();
      }
    },
    async close() {
      pending.promise.catch(() => undefined);
      await worker.terminate();
    },
  };
}

function vectorsOf(message: ThreadMessage): Float32Array {
  const reply = message as BatchReply;
  if ('error' in reply) throw new Error(`The model could not be run: ${reply.error}`);
  return reply.vectors;
}
