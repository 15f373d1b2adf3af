/** Counts answered searches by the fault that was present, and finds the longest time without an answer. */
interface Count {
  answered: number;
  unanswered: number;
  longestGapMs: number;
}

export class ServedSearches {
  /** Name of the present fault. */
  during = '';
  readonly #counts = new Map<string, Count>();
  #lastAnswerAt = performance.now();

  /** Notes the end of a search. A time without an answer counts for the fault at its end. */
  note(isAnswered: boolean): void {
    const count = this.#counts.get(this.during) ?? { answered: 0, unanswered: 0, longestGapMs: 0 };
    this.#counts.set(this.during, count);
    const now = performance.now();
    count.longestGapMs = Math.max(count.longestGapMs, now - this.#lastAnswerAt);
    if (!isAnswered) {
      count.unanswered += 1;
      return;
    }
    count.answered += 1;
    this.#lastAnswerAt = now;
  }

  describe(): string {
    return [...this.#counts]
      .map(
        ([name, { answered, unanswered, longestGapMs }]) =>
          `${name}: ${answered} searches answered, ${unanswered} not, ` +
          `${(longestGapMs / 1000).toFixed(1)} s without an answer at most\n`,
      )
      .join('');
  }
}
