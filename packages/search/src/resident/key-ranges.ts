/** A range of chunk keys, both ends included. */
export interface KeyRange {
  first: bigint;
  last: bigint;
}

/** Above this number, keys are forgotten: they save work, and nothing depends on them. */
const MAX_RANGES = 5_000;

/** Collects chunk keys as ranges: the keys of a document's chunks follow one another. */
export class KeyRanges {
  #ranges: KeyRange[] = [];

  add(keys: Iterable<bigint>): void {
    for (const key of keys) {
      const last = this.#ranges.at(-1);
      if (last !== undefined && key === last.last + 1n) last.last = key;
      else this.#ranges.push({ first: key, last: key });
    }
    if (this.#ranges.length > MAX_RANGES) this.#ranges = [];
  }

  /** Returns the ranges in the order in which they came, and forgets them. */
  take(): readonly KeyRange[] {
    const ranges = this.#ranges;
    this.#ranges = [];
    return ranges;
  }
}
