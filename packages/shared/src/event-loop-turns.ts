import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long a task may keep everybody else waiting. */
const LONGEST_TURN_MS = 15;

/** For long work that is done in the service's own process: `pass` lets others have their turn when it is time. */
export class EventLoopTurns {
  readonly #signal: AbortSignal;
  #startedAt = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Throws the signal's reason when it is aborted. */
  async pass(): Promise<void> {
    if (performance.now() - this.#startedAt < LONGEST_TURN_MS) return;
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#startedAt = performance.now();
  }
}
