/** Runs a task periodically, with a pause between runs; runs do not overlap. */
export class Periodic {
  readonly #task: () => Promise<unknown>;
  readonly #intervalMs: number;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(task: () => Promise<unknown>, intervalMs: number, onError: (error: unknown) => void) {
    this.#task = task;
    this.#intervalMs = intervalMs;
    this.#onError = onError;
  }

  /** Starts the timer; the first run follows after one interval. */
  start(): this {
    this.#timer = setTimeout(() => {
      this.#running = this.#task()
        .then(() => undefined, this.#onError)
        .then(() => {
          if (!this.#stopped) this.start();
        });
    }, this.#intervalMs);
    return this;
  }

  /** Stops the timer; resolves when a current run has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
