/** Adds up the progress of parts that are assumed to take equally long. */
export class Progress {
  readonly #parts: number;
  readonly #report: (fraction: number) => void;
  #done = 0;

  constructor(parts: number, report: (fraction: number) => void) {
    this.#parts = Math.max(1, parts);
    this.#report = report;
  }

  /** Returns a function that reports one part's progress, 0..1. Lower values than before are ignored. */
  part(): (fraction: number) => void {
    let reached = 0;
    return (fraction) => {
      if (!(fraction > reached)) return;
      const step = Math.min(1, fraction) - reached;
      reached += step;
      this.#advance(step);
    };
  }

  /** Counts parts that will not be processed as finished. */
  finish(parts: number): void {
    this.#advance(parts);
  }

  #advance(by: number): void {
    this.#done += by;
    this.#report(Math.min(1, this.#done / this.#parts));
  }
}
