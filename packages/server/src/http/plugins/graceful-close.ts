/**
 * Closing without waiting for the slowest client: requests at hand are let finish, and their connections end with
 * them; then those that merely wait are told to answer with what there is, then the connections that are still open
 * (readers that stalled) are cut.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface GracePeriods {
  abortAfterMs: number;
  cutAfterMs: number;
}

/** How long an open connection may bring the next request, which then is answered, with 'connection: close'. */
const LINGER_MS = 500;

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
  endConnections(app);
  app.addHook('preClose', async () => {
    timers.push(setTimeout(() => active.abortAll(), periods.abortAfterMs));
    timers.push(setTimeout(() => app.server.closeAllConnections(), periods.cutAfterMs));
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer);
  });
  return active;
}

/**
 * Node closes the idle connections when closing begins, but not those on which a request is at hand then: a client that
 * keeps its connections open for later would hold up the end. Nor those on which nothing was asked yet, as browsers
 * open them in advance.
 */
function endConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  const lingering = new Map<Socket, NodeJS.Timeout>();
  let closing = false;
  const linger = (socket: Socket): void => {
    const timer = setTimeout(() => socket.end(), LINGER_MS);
    lingering.set(socket, timer);
  };
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    app.server.on('request', ({ socket }) => {
      clearTimeout(lingering.get(socket));
      lingering.delete(socket);
    });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
  // Streams that began before have told their client that the connection stays; what is still to be sent is sent.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    if (closing) linger(socket);
    done();
  });
  app.addHook('onClose', async () => {
    for (const timer of lingering.values()) clearTimeout(timer);
  });
}
