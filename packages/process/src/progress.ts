/** Adds up the progress of many parts that are equally long as far as anybody knows. */
export class Progress {
  readonly #parts: number;
  readonly #report: (fraction: number) => void;
  #done = 0;

  constructor(parts: number, report: (fraction: number) => void) {
    this.#parts = Math.max(1, parts);
    this.#report = report;
  }

  /** Where one part tells how far it is, 0..1; going back is ignored. */
  part(): (fraction: number) => void {
    let reached = 0;
    return (fraction) => {
      if (!(fraction > reached)) return;
      const step = Math.min(1, fraction) - reached;
      reached += step;
      this.#advance(step);
    };
  }

  /** Parts that will not be worked on. */
  finish(parts: number): void {
    this.#advance(parts);
  }

  #advance(by: number): void {
    this.#done += by;
    this.#report(Math.min(1, this.#done / this.#parts));
  }
}
