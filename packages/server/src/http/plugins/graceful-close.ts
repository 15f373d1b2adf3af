/**
 * Closing without waiting for the slowest client: requests at hand are let finish, then those that merely wait are told
 * to answer with what there is, then the connections that are still open (readers that stalled) are cut.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

export interface GracePeriods {
  abortAfterMs: number;
  cutAfterMs: number;
}

const PERIODS: GracePeriods = { abortAfterMs: 3_000, cutAfterMs: 10_000 };

/** The requests that are being handled, each with what aborts it. */
export class ActiveRequests {
  readonly #controllers = new Set<AbortController>();

  /** A signal that is aborted when the client goes away, or when closing has waited long enough for it. */
  signalFor(response: ServerResponse): AbortSignal {
    const controller = new AbortController();
    this.#controllers.add(controller);
    response.once('close', () => {
      this.#controllers.delete(controller);
      // Nobody waits any more after a whole answer, and the error that an abort makes costs 0.1 ms.
      if (!response.writableFinished) controller.abort();
    });
    return controller.signal;
  }

  abortAll(): void {
    for (const controller of this.#controllers) controller.abort();
  }
}

export function registerGracefulClose(app: FastifyInstance, periods: GracePeriods = PERIODS): ActiveRequests {
  const active = new ActiveRequests();
  const timers: NodeJS.Timeout[] = [];
  app.addHook('preClose', async () => {
    timers.push(setTimeout(() => active.abortAll(), periods.abortAfterMs));
    timers.push(setTimeout(() => app.server.closeAllConnections(), periods.cutAfterMs));
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer);
  });
  return active;
}
