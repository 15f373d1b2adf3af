/**
 * The diffcp lines of one answer over as many connections as it takes. A connection that breaks, falls silent or ends
 * early is followed by another one from the last line on.
 */
import { LineReader, type Line } from '@quire/diffcp';
import { onAbort } from '../abort.ts';
import type { Message } from '../api.ts';
import { ConflictError, ConnectionError, QuireError, ServerError, TimeoutError } from '../errors.ts';
import type { Page } from '../listing.ts';
import { retryDelayMs, sleep } from '../retry.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';

/** A question to send, or the message whose answer is followed. */
export type Asked = { query: string } | { messageId: string };

/** The service sends a line every 10 s even when nothing happens. */
const SILENCE_MS = 35_000;
/** Time without a line after which it gives up reconnecting; a restart of the service takes seconds. */
const GIVE_UP_MS = 120_000;
/** Clocks are compared by the `Date` header, which has whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000;

export class LineStream {
  messageId: string | undefined;
  readonly #transport: Transport;
  readonly #chat: string;
  readonly #query: string | undefined;
  readonly #abort = new AbortController();
  /** Aborts the connection; each has its own, as listeners on a signal that lives longer would add up. */
  #connection = new AbortController();
  readonly #askedAt = performance.now();
  #first: Promise<Response> | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #decoder = new LineReader();
  #waiting: Line[] = [];
  #release: () => void = () => undefined;

  constructor(transport: Transport, chatId: string, asked: Asked, { signal, timeoutMs = 0 }: CallOptions) {
    this.#transport = transport;
    this.#chat = path`/v1/w/{ws}/chat/${chatId}`;
    if ('messageId' in asked) this.messageId = asked.messageId;
    else this.#query = asked.query;
    this.#abortWith(signal, timeoutMs);
    if (this.#query === undefined) return;
    this.#first = this.#ask(this.#query);
    // Reported to the reader of the answer.
    this.#first.catch(() => undefined);
  }

  /** Returns the line after `seq`, or a heartbeat. */
  async next(seq: number): Promise<Line> {
    const startedAt = performance.now();
    for (let failures = 0; ; failures += 1) {
      try {
        const line = this.#waiting.shift() ?? (await this.#read(seq));
        if (line !== undefined) return line;
      } catch (error) {
        await this.close();
        if (this.#abort.signal.aborted) throw this.#abort.signal.reason;
        if (!isTransient(error) || performance.now() - startedAt > GIVE_UP_MS) throw error;
        // A connection that brought lines is replaced at once.
        if (failures > 0) await sleep(retryDelayMs(Math.min(failures, 5)), this.#abort.signal);
      }
    }
  }

  stop(): Promise<Message> {
    const target = `${this.#chat}${path`/message/${this.messageId ?? ''}/stop`}`;
    return this.#transport.data({ method: 'POST', path: target, repeatable: true });
  }

  /** Closes the connection; `next` opens another one. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#waiting = [];
    this.#decoder = new LineReader();
    // A connection that broke rejects here again.
    await reader?.cancel().catch(() => undefined);
  }

  /** Closes the connection and detaches from the caller's signal. */
  async end(): Promise<void> {
    this.#release();
    await this.close();
  }

  #abortWith(signal: AbortSignal | undefined, timeoutMs: number): void {
    const end = (reason: unknown): void => {
      this.#abort.abort(reason);
      this.#connection.abort(reason);
    };
    const ignore = onAbort(signal, end);
    const error = new TimeoutError(`the answer is not complete after ${timeoutMs} ms`, { type: 'timeout' });
    const timer = timeoutMs > 0 ? setTimeout(() => end(error), timeoutMs) : undefined;
    this.#release = () => {
      clearTimeout(timer);
      ignore();
    };
  }

  /** Reads one piece of the body; undefined if it completes no line. */
  async #read(seq: number): Promise<Line | undefined> {
    this.#reader ??= await this.#open(seq);
    const { done, value } = await inTime(this.#reader.read(), SILENCE_MS);
    if (done) throw new ConnectionError('the stream ended before the answer', { type: 'connection' });
    this.#waiting = this.#decoder.push(value);
    return this.#waiting.shift();
  }

  async #open(seq: number): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const first = this.#first;
    this.#first = undefined;
    const response = await (first ?? this.#reopen(seq));
    if (response.body === null) throw new ConnectionError('the answer has no body', { type: 'connection' });
    return response.body.getReader();
  }

  async #reopen(seq: number): Promise<Response> {
    this.messageId ??= await this.#findSent();
    if (this.messageId === undefined) return this.#askAgain(this.#query ?? '');
    const target = `${this.#chat}${path`/message/${this.messageId}/stream`}`;
    const query = seq < 0 ? {} : { after: seq };
    return this.#transport.response({ path: target, query, signal: this.#newConnection() });
  }

  #ask(query: string): Promise<Response> {
    const request = { method: 'POST', path: `${this.#chat}/message`, json: { query } };
    return this.#transport.response({ ...request, signal: this.#newConnection() });
  }

  #newConnection(): AbortSignal {
    this.#connection = new AbortController();
    if (this.#abort.signal.aborted) this.#connection.abort(this.#abort.signal.reason);
    return this.#connection.signal;
  }

  /** A conflict means that the lost request has arrived in the meantime. */
  async #askAgain(query: string): Promise<Response> {
    try {
      return await this.#ask(query);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      this.messageId = await this.#findSent();
      if (this.messageId === undefined) throw error;
      return this.#reopen(-1);
    }
  }

  /** Returns the answer to the question if it arrived although its connection broke before the first line. */
  async #findSent(): Promise<string | undefined> {
    const { headers, body } = await this.#transport.raw<{ data: Page<Message> }>({
      path: `${this.#chat}/history`,
      query: { order: 'desc', limit: 2 },
      signal: this.#newConnection(),
    });
    const now = Date.parse(headers.get('date') ?? '') || Date.now();
    const since = now - (performance.now() - this.#askedAt) - CLOCK_TOLERANCE_MS;
    const [answer, question] = body.data.items;
    const part = question?.parts[0];
    const isSame = part !== undefined && 'text' in part && part.text === this.#query;
    return isSame && Date.parse(question?.createdAt ?? '') >= since ? answer?.id : undefined;
  }
}

/** Errors that are not of this client come from the connection or from a line that was cut. */
const isTransient = (error: unknown): boolean =>
  !(error instanceof QuireError) ||
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof ServerError;

async function inTime<T>(value: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new ConnectionError(`no line within ${ms} ms`, { type: 'connection' });
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
