/** Two serial queues of loads: tables of few rows do not wait for large ones. */

/** Rows up to which a table is loaded beside larger ones. */
const QUICK_ROWS = 20_000;

export class LoadQueues {
  #small: Promise<void> = Promise.resolve();
  #large: Promise<void> = Promise.resolve();
  #pending = 0;

  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Runs the load of a table with this number of rows after those before it. */
  run<Result>(rows: number, load: () => Promise<Result>): Promise<Result> {
    const isSmall = rows <= QUICK_ROWS;
    this.#pending += 1;
    const done = (isSmall ? this.#small : this.#large).then(load).finally(() => (this.#pending -= 1));
    const tail = done.then(() => undefined).catch(() => undefined);
    if (isSmall) this.#small = tail;
    else this.#large = tail;
    return done;
  }

  /** Resolves when the loads that are queued now have ended. */
  async settled(): Promise<void> {
    await Promise.all([this.#small, this.#large]);
  }
}
