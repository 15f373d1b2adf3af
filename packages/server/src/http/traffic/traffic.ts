/**
 * The budgets of the HTTP server: requests in service and bytes in memory, shared out by workspace and key, and open
 * connections. A request without room waits, unread; one that waits too long is refused with `Retry-After`.
 *
 * Counted bytes are those of bodies that are read into memory, while they are read and processed, and of answers in
 * memory until the client has received them. Uploads and downloads of files are streams, whose buffers are small.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { COMPRESSOR_BYTES } from './answer-sizes.ts';
import { ConnectionGate } from './connection-gate.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { BudgetExhausted, FairBudget, type Holder, type Share } from './fair-budget.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The parts of the budgets that the request holds; null until its key was checked. */
    holding: Holding | null;
  }
}

export interface Holding {
  slot: Share;
  bytes: Share;
}

export interface TrafficSettings {
  /** Memory for bodies and answers. */
  memoryBytes: number;
  /** Maximum number of requests in service. */
  maxRequests: number;
  maxConnections: number;
  /** Time in ms after which a waiting request is refused while no other request of its key gets room. */
  waitMs?: number;
  /** Time in ms without progress after which the reading of a body, or the sending of an answer, ends. */
  stallMs?: number;
}

const WAIT_MS = 60_000;
export const STALL_MS = 30_000;
/** Maximum number of waiting requests of a key. */
const MAX_WAITING = 1_024;
/** Size in bytes up to which bodies and answers are not counted; the number of requests bounds them. */
const SMALL_BYTES = 64 * 1024;
/** Memory for each byte of a body: the body, its text and its values. */
const BODY_FACTOR = 3;
/** Memory for each character of an answer: the text and its bytes. */
const ANSWER_FACTOR = 2;
const RETRY_SECONDS = 2;

/** Address of the check that decides whether the process is restarted: it is answered before waiting requests. */
const URGENT = '/healthz';

export class Traffic {
  readonly #gate = new ConnectionGate();
  readonly #connections: ConnectionLimits;
  readonly #requests: FairBudget;
  readonly #bytes: FairBudget;
  readonly stallMs: number;
  #idleMs = 0;

  constructor({ memoryBytes, maxRequests, maxConnections, waitMs = WAIT_MS, stallMs = STALL_MS }: TrafficSettings) {
    this.stallMs = stallMs;
    this.#connections = new ConnectionLimits(maxConnections, (socket) => this.#gate.isServing(socket));
    this.#requests = new FairBudget({ total: maxRequests, waitMs, maxWaiting: MAX_WAITING });
    this.#bytes = new FairBudget({ total: memoryBytes, waitMs, maxWaiting: MAX_WAITING });
  }

  get bytesInUse(): number {
    return this.#bytes.used;
  }

  get requestsInService(): number {
    return this.#requests.used;
  }

  /** `idleMs` is the time after which the server closes a connection without progress. */
  register(app: FastifyInstance, idleMs: number): void {
    this.#idleMs = idleMs;
    this.#connections.watch(app.server);
    app.decorateRequest('holding', null);
    app.addHook('onRequest', (request, reply, done) => this.enter(request, reply, done));
  }

  /** Follows the answers as they are sent; registered after the compression. */
  registerAnswers(app: FastifyInstance): void {
    app.addHook('onSend', (request, reply, payload, done) => {
      this.#beginAnswer(request, reply, payload);
      done(null, payload);
    });
  }

  /** Calls `start` when the connection has room for the request. */
  enter(request: FastifyRequest, reply: FastifyReply, start: () => void): void {
    this.#gate.enter(request.raw, reply.raw, start, request.url === URGENT);
  }

  /** Waits for a slot for a request whose key was checked. Throws 429 or 503. */
  async admit(request: FastifyRequest, reply: FastifyReply, holder: Holder): Promise<void> {
    this.#connections.identify(request.raw.socket, holder.keyId);
    const holding = { slot: this.#requests.open(holder), bytes: this.#bytes.open(holder) };
    request.holding = holding;
    this.#gate.whenEnded(request.raw, reply.raw, () => {
      holding.slot.release();
      holding.bytes.release();
      this.#rest(request.raw.socket);
    });
    await this.#wait(request, () => holding.slot.grow(1));
  }

  /** Waits for memory for a body, which is released when the request is answered. Throws 429 or 503. */
  async reserveBody(request: FastifyRequest, bytes: number): Promise<void> {
    if (bytes > SMALL_BYTES) await this.#wait(request, () => request.holding?.bytes.grow(bytes * BODY_FACTOR));
  }

  /** Waits for memory for an answer of about this size. Throws 429 or 503. */
  async reserveAnswer(request: FastifyRequest, bytes: number): Promise<void> {
    if (bytes > SMALL_BYTES) await this.#wait(request, () => request.holding?.bytes.grow(bytes));
  }

  async #wait(request: FastifyRequest, grow: () => Promise<void> | void): Promise<void> {
    const { socket } = request.raw;
    try {
      const waiting = grow();
      if (waiting === undefined) return;
      socket.setTimeout(0);
      await waiting;
      socket.setTimeout(this.#idleMs);
    } catch (error) {
      throw error instanceof BudgetExhausted ? refusal(error) : error;
    }
  }

  /** The work for the request is done; what is left is its answer, whose reader must make progress. */
  #beginAnswer({ raw, holding }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    const size = isWhole ? payload.length * ANSWER_FACTOR : reply.hasHeader('content-encoding') ? COMPRESSOR_BYTES : 0;
    holding?.slot.release();
    holding?.bytes.settle(size > SMALL_BYTES ? size : 0);
    if (isWhole && size > SMALL_BYTES) raw.socket.setTimeout(this.stallMs);
    else if (!isWhole && typeof payload === 'object' && payload !== null) this.#watchStream(reply.raw, raw.socket);
  }

  /** Ends a stream whose reader makes no progress. A stream that has nothing to send may be silent for longer. */
  #watchStream(response: ServerResponse, socket: Socket): void {
    let silentMs = 0;
    let written = socket.bytesWritten;
    const check = (): void => {
      silentMs = socket.bytesWritten === written ? silentMs + this.stallMs : 0;
      written = socket.bytesWritten;
      if (socket.writableLength > 0 || silentMs >= this.#idleMs) socket.destroy();
      else socket.setTimeout(this.stallMs);
    };
    response.setTimeout(this.stallMs, check);
  }

  /** Sets the limit of an idle connection again while other requests of it are processed. */
  #rest(socket: Socket): void {
    if (!socket.destroyed && this.#gate.isServing(socket)) socket.setTimeout(this.#idleMs);
  }
}

const refusal = ({ shortage }: BudgetExhausted): ApiError => {
  const [status, type, msg] =
    shortage === 'own'
      ? ([429, 'rate_limited', 'Too many requests of this key are in progress'] as const)
      : ([503, 'unavailable', 'Too many requests are in progress'] as const);
  return new ApiError(status, [{ loc: [], msg, type }], { 'retry-after': String(RETRY_SECONDS) });
};
