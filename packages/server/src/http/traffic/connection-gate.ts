/**
 * Bounds the requests of one connection, and the time that starting requests takes in one turn of the event loop.
 *
 * Node parses a whole chunk of pipelined requests, about a thousand, and starts all of them at once. Here a connection
 * has few requests in service; the next ones wait, and the connection is not read meanwhile.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of requests of one connection that are in service. */
export const MAX_SERVED = 8;
/** Maximum number of parsed requests that wait, on one connection and on all. Node parses up to 64 kB at a time. */
export const MAX_WAITING = 1_000;
const MAX_WAITING_IN_ALL = 5_000;
/** Time in ms in which requests are started in one turn of the event loop, before other connections are read. */
const TURN_MS = 10;

interface Connection {
  socket: Socket;
  served: number;
  waiting: (() => void)[];
  /** Whether the next turn starts a request of it. */
  isReady: boolean;
  /** Whether it is not read until no request of it waits. */
  isStopped: boolean;
  /** Called when the connection closes: Node reports the end of a pipelined answer only once its turn has come. */
  onClosed: Set<() => void>;
}

export class ConnectionGate {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #turnMs: number;
  #ready: Connection[] = [];
  #waiting = 0;
  #turnEndsAt = 0;
  #isScheduled = false;

  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs;
  }

  /** Calls `start` when the request may be processed: at once, unless its connection or this turn has no room. */
  enter(request: IncomingMessage, response: ServerResponse, start: () => void, isUrgent = false): void {
    const connection = this.#connectionOf(request.socket);
    if (request.socket.destroyed) return;
    const begin = (): void => {
      connection.served += 1;
      this.whenEnded(request, response, () => this.#leave(connection));
      start();
    };
    const hasRoom = connection.served < MAX_SERVED && connection.waiting.length === 0;
    if (hasRoom && (isUrgent || (this.#ready.length === 0 && this.#hasTime()))) {
      begin();
      return;
    }
    if (connection.waiting.length >= MAX_WAITING || this.#waiting >= MAX_WAITING_IN_ALL) {
      request.socket.destroy();
      return;
    }
    this.#waiting += 1;
    connection.waiting.push(begin);
    if (connection.served + connection.waiting.length > 1) this.#stopReading(connection);
    this.#makeReady(connection);
  }

  /** Whether a request of the connection is in service. */
  isServing(socket: Socket): boolean {
    return (this.#connections.get(socket)?.served ?? 0) > 0;
  }

  /** Calls `ended` once: when the answer was sent, or when the connection has closed before. */
  whenEnded(request: IncomingMessage, response: ServerResponse, ended: () => void): void {
    const { onClosed } = this.#connectionOf(request.socket);
    const end = (): void => {
      if (onClosed.delete(end)) ended();
    };
    onClosed.add(end);
    response.once('close', end);
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = {
      socket,
      served: 0,
      waiting: [],
      isReady: false,
      isStopped: false,
      onClosed: new Set(),
    };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#waiting -= connection.waiting.length;
      connection.waiting = [];
      for (const end of connection.onClosed) end();
    });
    // Reading the body of a request in service resumes the connection.
    socket.on('resume', () => {
      if (connection.isStopped) socket.pause();
    });
    return connection;
  }

  #leave(connection: Connection): void {
    connection.served -= 1;
    this.#makeReady(connection);
  }

  #stopReading(connection: Connection): void {
    connection.isStopped = true;
    connection.socket.pause();
  }

  #makeReady(connection: Connection): void {
    if (connection.isReady || connection.waiting.length === 0 || connection.served >= MAX_SERVED) return;
    connection.isReady = true;
    this.#ready.push(connection);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#ready.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#continue();
    });
  }

  /** Starts one request of each ready connection in turn, as long as this turn has time. */
  #continue(): void {
    while (this.#ready.length > 0 && this.#hasTime()) {
      const round = this.#ready;
      this.#ready = [];
      while (round.length > 0 && this.#hasTime()) {
        const connection = round.shift();
        if (connection !== undefined) this.#startNext(connection);
      }
      this.#ready = [...round, ...this.#ready];
    }
    this.#schedule();
  }

  #startNext(connection: Connection): void {
    connection.isReady = false;
    const begin = connection.socket.destroyed ? undefined : connection.waiting.shift();
    if (begin === undefined) return;
    this.#waiting -= 1;
    if (connection.waiting.length === 0 && connection.isStopped) {
      connection.isStopped = false;
      connection.socket.resume();
    }
    begin();
    if (connection.waiting.length > 0 && connection.served < MAX_SERVED) {
      connection.isReady = true;
      this.#ready.push(connection);
    }
  }

  #hasTime(): boolean {
    if (this.#turnEndsAt === 0) {
      this.#turnEndsAt = performance.now() + this.#turnMs;
      setImmediate(() => (this.#turnEndsAt = 0));
    }
    return performance.now() < this.#turnEndsAt;
  }
}
