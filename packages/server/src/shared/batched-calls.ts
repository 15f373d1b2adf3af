/**
 * Coalesces concurrent calls into batches: calls that arrive while a batch runs, or within `lingerMs` after it, form
 * the next one. A lone call starts at once, so it is as fast as without batching, and batches grow only under load.
 */
import { outsideRequest } from '../logger.ts';
import { InterruptibleWait } from './interruptible-wait.ts';

export interface BatchedCallsOptions<Item, Result> {
  /**
   * Returns results in order, undefined for an item that `runSingle` has to do. If it throws, `runSingle` does each
   * item.
   */
  runBatch: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  runSingle: (item: Item) => Promise<Result>;
  /** Reports why a batch failed; its items may still succeed one by one, so no caller sees that error. */
  onBatchFailed: (error: unknown) => void;
  /** Maximum number of items in a batch. */
  maxBatchSize: number;
  /** Minimum time between the end of a batch and the start of the next, in ms, unless that is full. Default 0. */
  lingerMs?: number;
}

interface Call<Item, Result> {
  item: Item;
  resolve: (result: Result | Promise<Result>) => void;
}

export class BatchedCalls<Item, Result> {
  readonly #options: BatchedCallsOptions<Item, Result>;
  #waiting: Call<Item, Result>[] = [];
  #running = false;
  readonly #lingering = new InterruptibleWait();
  #endedAt = -Infinity;

  constructor(options: BatchedCallsOptions<Item, Result>) {
    this.#options = options;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve) => {
      this.#waiting.push({ item, resolve });
      if (this.#waiting.length >= this.#options.maxBatchSize) this.#lingering.end();
      if (this.#running) return;
      this.#running = true;
      // Calls made in the same turn of the event loop share the first batch.
      // Outside of the first caller's context, since batches serve all of them.
      setImmediate(() => outsideRequest(() => void this.#run()));
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#linger();
      const batch = this.#waiting.splice(0, this.#options.maxBatchSize);
      const results = await this.#runBatch(batch.map(({ item }) => item));
      this.#endedAt = performance.now();
      for (const [position, { item, resolve }] of batch.entries()) {
        const result = results[position];
        resolve(result === undefined ? this.#options.runSingle(item) : result);
      }
    }
    this.#running = false;
  }

  /** Waits for more calls, until `lingerMs` have passed since the last batch or the next one is full. */
  async #linger(): Promise<void> {
    const { lingerMs = 0, maxBatchSize } = this.#options;
    const restMs = lingerMs - (performance.now() - this.#endedAt);
    if (restMs > 0 && this.#waiting.length < maxBatchSize) await this.#lingering.for(restMs);
  }

  async #runBatch(items: readonly Item[]): Promise<readonly (Result | undefined)[]> {
    try {
      return await this.#options.runBatch(items);
    } catch (error) {
      // One item may be the cause: each one then fails or succeeds by itself.
      this.#options.onBatchFailed(error);
      return [];
    }
  }
}
