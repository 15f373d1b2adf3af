/**
 * The inference threads of one model: one for queries only, and up to a limit for documents. If the query thread is
 * busy, queries also use document threads, ahead of waiting documents, so that no search waits for ingestion. Threads
 * start on demand.
 */
import { FairQueue } from '@quire/shared/fair-queue';
import { FairShares } from '@quire/shared/fair-shares';
import { startThread } from '@quire/shared/start-thread';
import { deferred, toError } from './deferred.ts';
import type { BatchReply, Priority, ThreadData, ThreadMessage } from './inference-protocol.ts';

/** Runs batches one at a time: a thread, or a substitute in tests. */
export interface BatchRunner {
  /** Rejects if the batch fails or the runner ends. */
  run(rows: readonly Int32Array[]): Promise<Float32Array>;
  close(): Promise<void>;
}

interface Waiting {
  owner: string;
  rank: number;
  rows: readonly Int32Array[];
  resolve: (vectors: Float32Array) => void;
  reject: (error: Error) => void;
  signal: AbortSignal;
}

export class ThreadPool {
  readonly #start: (priority: Priority) => Promise<BatchRunner>;
  readonly #presentOwner: () => string;
  /** Maximum number of threads. */
  readonly #limits: Record<Priority, number>;
  readonly #idle: Record<Priority, BatchRunner[]> = { query: [], documents: [] };
  readonly #shares = new FairShares();
  readonly #waiting: Record<Priority, FairQueue<Waiting>> = {
    query: new FairQueue(this.#shares),
    documents: new FairQueue(this.#shares),
  };
  readonly #runners: Record<Priority, Set<BatchRunner>> = { query: new Set(), documents: new Set() };
  readonly #starting: Record<Priority, number> = { query: 0, documents: 0 };
  /** Number of threads that are starting. */
  readonly #growing = new Set<Promise<void>>();
  #closed = false;

  /** @param presentOwner returns on whose behalf the caller works. Default: one owner for all. */
  constructor(
    start: (priority: Priority) => Promise<BatchRunner>,
    documentThreads: number,
    presentOwner: () => string = () => '',
  ) {
    this.#start = start;
    this.#presentOwner = presentOwner;
    this.#limits = { query: 1, documents: documentThreads };
  }

  /**
   * Rejects with the signal's reason on an abort; a running batch still runs to its end, and its result is dropped.
   * Threads are shared out among the owners of waiting batches: a document of a thousand batches does not delay the one
   * of another owner.
   */
  async run(rows: readonly Int32Array[], priority: Priority, signal: AbortSignal): Promise<Float32Array> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error('The embedder is closed');
    const { promise, resolve, reject } = deferred<Float32Array>();
    const waiting: Waiting = { owner: this.#presentOwner(), rank: 0, rows, resolve, reject, signal };
    const onAbort = (): void => {
      this.#waiting[priority].remove(waiting);
      reject(toError(signal.reason));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting[priority].add(waiting);
    this.#dispatch();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#reject('query', new Error('The embedder is closed'));
    this.#reject('documents', new Error('The embedder is closed'));
    await Promise.all(this.#growing);
    const { query, documents } = this.#runners;
    await Promise.all([...query, ...documents].map((runner) => runner.close()));
  }

  #reject(priority: Priority, error: Error): void {
    const lane = this.#waiting[priority];
    for (let next = lane.take(); next !== undefined; next = lane.take()) next.reject(error);
  }

  #dispatch(): void {
    this.#serve('query', 'query');
    this.#serve('query', 'documents');
    this.#serve('documents', 'documents');
    const { query, documents } = this.#waiting;
    const surplus = this.#runners.query.size < this.#limits.query ? 0 : query.length;
    this.#growFor(query.length, 'query');
    this.#growFor(documents.length + surplus, 'documents');
  }

  /** Assigns waiting batches of a lane to idle threads of a kind. */
  #serve(lane: Priority, kind: Priority): void {
    while (this.#idle[kind].length > 0 && this.#waiting[lane].length > 0) {
      const waiting = this.#waiting[lane].take();
      const runner = this.#idle[kind].pop();
      if (runner !== undefined && waiting !== undefined) void this.#runOn(runner, kind, waiting);
    }
  }

  async #runOn(runner: BatchRunner, kind: Priority, waiting: Waiting): Promise<void> {
    const giveBack = this.#shares.take(waiting.owner);
    try {
      const vectors = await runner.run(waiting.rows);
      giveBack();
      waiting.resolve(vectors);
      this.#idle[kind].push(runner);
    } catch (error) {
      giveBack();
      // The thread may be in an undefined state; the next batch gets a new one.
      waiting.reject(toError(error));
      this.#runners[kind].delete(runner);
      await runner.close();
    }
    if (!this.#closed) this.#dispatch();
  }

  /** Starts one thread more, within the limit, if more batches wait than threads are starting. */
  #growFor(waiting: number, kind: Priority): void {
    const starting = this.#starting[kind];
    if (waiting > starting && this.#runners[kind].size + starting < this.#limits[kind]) {
      const growing = this.#grow(kind).finally(() => this.#growing.delete(growing));
      this.#growing.add(growing);
    }
  }

  async #grow(kind: Priority): Promise<void> {
    this.#starting[kind]++;
    try {
      const runner = await this.#start(kind);
      this.#runners[kind].add(runner);
      if (this.#closed) await runner.close();
      else this.#idle[kind].push(runner);
    } catch (error) {
      // Other threads still serve the lane; without any, the waiting batches would never end.
      if (this.#runners[kind].size === 0) this.#reject(kind, toError(error));
    } finally {
      this.#starting[kind]--;
    }
    if (!this.#closed) this.#dispatch();
  }
}

/**
 * Starts a thread with the model loaded. Disables onnxruntime's telemetry first: it would upload usage data and leave
 * `mat-debug-*.log` files in the temporary directory. The library reads the real environment, which a worker thread
 * cannot change.
 */
export async function startInferenceThread(data: ThreadData): Promise<BatchRunner> {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const worker = startThread(import.meta.url, 'inference-thread.js', data);
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
      // Terminating a thread inside native code would abort the process, so its batch (up to 130 ms) ends first.
      await pending.promise.catch(() => undefined);
      await worker.terminate();
    },
  };
}

function vectorsOf(message: ThreadMessage): Float32Array {
  const reply = message as BatchReply;
  if ('error' in reply) throw new Error(`The model could not be run: ${reply.error}`);
  return reply.vectors;
}
