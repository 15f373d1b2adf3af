/** Runs a task again and again with a pause between runs; runs never overlap. */
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

  /** The first run is one interval away. */
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

  /** Resolves when a run under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
