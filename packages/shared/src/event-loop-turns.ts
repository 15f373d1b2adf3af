import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time that a task may block the event loop. */
const MAX_TURN_MS = 15;

/**
 * Divides long work in the service's own process: `pass` yields to the event loop when a turn has lasted long enough.
 */
export class EventLoopTurns {
  readonly #signal: AbortSignal;
  #startedAt = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Yields if the turn is over. Throws the signal's reason if it is aborted. */
  async pass(): Promise<void> {
    if (performance.now() - this.#startedAt < MAX_TURN_MS) return;
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#startedAt = performance.now();
  }
}
