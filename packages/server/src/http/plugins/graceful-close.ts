/**
 * Closes the server without waiting for the slowest client. Active requests may finish, and their connections end with
 * them; then waiting requests are aborted and answer with their present state; last, open connections are cut.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface GracePeriods {
  abortAfterMs: number;
  cutAfterMs: number;
}

/** Time in ms in which an open connection may still send a request, which is answered with `connection: close`. */
const LINGER_MS = 500;

const PERIODS: GracePeriods = { abortAfterMs: 3_000, cutAfterMs: 10_000 };

/** The active requests, each with the controller that aborts it. */
export class ActiveRequests {
  readonly #controllers = new Set<AbortController>();

  /** Returns a signal that is aborted when the client disconnects or the grace period of closing has passed. */
  signalFor(response: ServerResponse): AbortSignal {
    const controller = new AbortController();
    this.#controllers.add(controller);
    response.once('close', () => {
      this.#controllers.delete(controller);
      // After a complete answer nothing waits for the signal, and the error of an abort costs 0.1 ms.
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
 * Ends the connections that Node leaves open when closing begins: those with an active request, which a client may keep
 * for later, and those without any request yet, which browsers open in advance.
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
  // Streams that began earlier have announced a connection that stays open, so the connection lingers after them.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    if (closing) linger(socket);
    done();
  });
  app.addHook('onClose', async () => {
    for (const timer of lingering.values()) clearTimeout(timer);
  });
}
