/** Keeps the best of many scored slots in a bounded heap with the worst on top. Ties go to the lower slot. */
export interface ScoredSlot {
  slot: number;
  score: number;
}

export class BestHits {
  readonly #limit: number;
  readonly #slots: number[] = [];
  readonly #scores: number[] = [];
  /** Minimum score to be kept; -Infinity while the heap is not full. */
  threshold = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(slot: number, score: number): void {
    if (score < this.threshold || this.#limit === 0) return;
    const size = this.#slots.length;
    if (size < this.#limit) {
      this.#rise(size, slot, score);
    } else if (this.#isWorse(this.#slots[0] ?? 0, this.#scores[0] ?? 0, slot, score)) {
      this.#sink(slot, score);
    }
    if (this.#slots.length === this.#limit) this.threshold = this.#scores[0] ?? 0;
  }

  /** Returns the slots, best first. */
  sorted(): ScoredSlot[] {
    return this.#slots
      .map((slot, index) => ({ slot, score: this.#scores[index] ?? 0 }))
      .toSorted((a, b) => b.score - a.score || a.slot - b.slot);
  }

  #isWorse(slot: number, score: number, thanSlot: number, thanScore: number): boolean {
    return score < thanScore || (score === thanScore && slot > thanSlot);
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const [parentSlot, parentScore] = [this.#slots[parent] ?? 0, this.#scores[parent] ?? 0];
      if (!this.#isWorse(slot, score, parentSlot, parentScore)) break;
      this.#put(at, parentSlot, parentScore);
      at = parent;
    }
    this.#put(at, slot, score);
  }

  #sink(slot: number, score: number): void {
    const size = this.#slots.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && this.#childIsWorse(right, child)) child = right;
      const [childSlot, childScore] = [this.#slots[child] ?? 0, this.#scores[child] ?? 0];
      if (!this.#isWorse(childSlot, childScore, slot, score)) break;
      this.#put(at, childSlot, childScore);
      at = child;
    }
    this.#put(at, slot, score);
  }

  #childIsWorse(a: number, b: number): boolean {
    return this.#isWorse(this.#slots[a] ?? 0, this.#scores[a] ?? 0, this.#slots[b] ?? 0, this.#scores[b] ?? 0);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }
}
