/**
 * The position of a table in the records, and earlier ones to go back to. PostgreSQL may lose the last transactions in
 * a crash and give out their ids again. Rows written with such an id are not new since a position that includes it.
 */

/**
 * Age in ms after which a position includes only transactions that are on disk. PostgreSQL writes those that do not
 * wait for the disk after at most three times `wal_writer_delay`, 0.6 s by default.
 */
export const SETTLED_MS = 10_000;

interface Mark {
  position: string;
  at: number;
}

export class PositionHistory {
  readonly #now: () => number;
  #present: string | null = null;
  /** Some positions of the past, at least `SETTLED_MS` apart, latest first. */
  #marks: readonly Mark[] = [];

  /** `now` returns the time of a monotonic clock, in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Null until the first one is set. */
  get present(): string | null {
    return this.#present;
  }

  set(position: string): void {
    this.#present = position;
    const at = this.#now();
    const [latest] = this.#marks;
    if (latest === undefined || at - latest.at >= SETTLED_MS)
      this.#marks = [{ position, at }, ...(latest === undefined ? [] : [latest])];
  }

  /** Goes back to the latest known position that is old enough. Returns false if there is none. */
  rewind(): boolean {
    const settled = this.#marks.find(({ at }) => this.#now() - at >= SETTLED_MS);
    if (settled === undefined) return false;
    this.#present = settled.position;
    this.#marks = [settled];
    return true;
  }
}
