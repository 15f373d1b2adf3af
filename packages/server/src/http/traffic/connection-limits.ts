/**
 * Bounds the open connections, so that file descriptors are left for files and the database. A connection is a stranger
 * until a request on it had a valid key. Strangers share half of the connections, and a key has a third, or 100 if that
 * is more.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { apiError } from '../../errors.ts';

/** Number of the oldest strangers among which one without a request is looked for. */
const LOOKED_AT = 64;
/** Connections of a key however few there are in all: clients send some tens of requests in parallel. */
const MIN_OF_KEY = 100;

export class ConnectionLimits {
  readonly #maxConnections: number;
  readonly #isServing: (socket: Socket) => boolean;
  /** In the order of their arrival. */
  readonly #strangers = new Set<Socket>();
  readonly #keyOf = new WeakMap<Socket, string>();
  readonly #byKey = new Map<string, number>();

  /** `isServing` says whether a request of the connection is being processed. */
  constructor(maxConnections: number, isServing: (socket: Socket) => boolean) {
    this.#maxConnections = maxConnections;
    this.#isServing = isServing;
  }

  watch(server: Server): void {
    server.maxConnections = this.#maxConnections;
    server.on('connection', (socket: Socket) => {
      if (this.#strangers.size >= this.#maxConnections / 2) this.#dropStranger();
      this.#strangers.add(socket);
      socket.once('close', () => this.#forget(socket));
    });
  }

  /** Notes that a request with this key came on the connection. Throws 429 if the key has too many. */
  identify(socket: Socket, keyId: string): void {
    if (!this.#strangers.has(socket)) return;
    const limit = Math.max(MIN_OF_KEY, Math.floor(this.#maxConnections / 3));
    const count = this.#byKey.get(keyId) ?? 0;
    if (count >= limit)
      throw apiError(429, 'rate_limited', `This key may have ${limit} connections at once`, { ctx: { limit } });
    this.#strangers.delete(socket);
    this.#keyOf.set(socket, keyId);
    this.#byKey.set(keyId, count + 1);
  }

  #forget(socket: Socket): void {
    this.#strangers.delete(socket);
    const keyId = this.#keyOf.get(socket);
    if (keyId === undefined) return;
    const count = (this.#byKey.get(keyId) ?? 1) - 1;
    if (count === 0) this.#byKey.delete(keyId);
    else this.#byKey.set(keyId, count);
  }

  /** Closes the oldest stranger, one without a request first. */
  #dropStranger(): void {
    const oldest = [];
    for (const socket of this.#strangers) if (oldest.push(socket) >= LOOKED_AT) break;
    const dropped = oldest.find((socket) => !this.#isServing(socket)) ?? oldest[0];
    if (dropped === undefined) return;
    this.#strangers.delete(dropped);
    dropped.destroy();
  }
}
