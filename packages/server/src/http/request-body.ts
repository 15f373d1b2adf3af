/** Reads bodies into memory up to a limit, and drains bodies that are refused. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest } from '../errors.ts';
import { STALL_MS, type Traffic } from './traffic/traffic.ts';

/**
 * Limits on draining a refused body. A client that is still sending would see a reset connection instead of the answer,
 * so the rest of its body is read and discarded first.
 */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

/** Returns the 413 for a body above the limit; the connection is closed unless the body was drained. */
function tooLarge(
  type: 'body_too_large' | 'file_too_large',
  limit: number,
  drained: boolean,
  part: string | undefined,
): ApiError {
  const what = type === 'file_too_large' ? 'The file' : part === undefined ? 'The body' : 'The part';
  const loc = part === undefined ? ['body'] : ['body', part];
  return new ApiError(
    413,
    [{ loc, msg: `${what} is larger than ${limit} bytes`, type, ctx: { limit } }],
    drained ? {} : { connection: 'close' },
  );
}

/** Drains the body and returns the 413 to throw, for a `part` of a form or for the whole body. */
export async function refuseTooLarge(
  request: IncomingMessage,
  type: 'body_too_large' | 'file_too_large',
  limit: number,
  part?: string,
): Promise<ApiError> {
  request.unpipe();
  return tooLarge(type, limit, await drain(request), part);
}

async function drain(stream: Readable): Promise<boolean> {
  const deadline = Date.now() + DRAIN_MS;
  let bytes = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > DRAIN_BYTES || Date.now() > deadline) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Returns the declared length of the body; undefined without `Content-Length`. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}

const unreadable = (error: unknown): ApiError =>
  badRequest(`The body could not be read to its end: ${error instanceof Error ? error.message : 'aborted'}`);

/** Yields the chunks of a body. Ending early leaves the connection open; a disconnected client is a 400. */
export async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw unreadable(error);
  }
}

/** Whether the request announces a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  (declaredLength(request) ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined;

/** Returns the whole body, once there is memory for it. Throws 413 above `limit`, 429 or 503 without memory. */
export async function readCountedBody(request: FastifyRequest, limit: number, traffic: Traffic): Promise<Buffer> {
  const { raw } = request;
  const length = declaredLength(raw) ?? (hasBody(raw) ? limit : 0);
  if (length <= limit) await traffic.reserveBody(request, length);
  return readBody(raw, limit, traffic.stallMs);
}

/** Returns the whole body. Throws 413 above `limit`, 408 after `stallMs` without progress. */
export async function readBody(request: IncomingMessage, limit: number, stallMs = STALL_MS): Promise<Buffer> {
  if ((declaredLength(request) ?? 0) > limit) throw await refuseTooLarge(request, 'body_too_large', limit);
  const body = await collect(request, limit, stallMs);
  if (body === undefined) throw await refuseTooLarge(request, 'body_too_large', limit);
  return body;
}

const stalled = (): ApiError =>
  new ApiError(408, [{ loc: ['body'], msg: 'The body did not arrive in time', type: 'bad_request' }], {
    connection: 'close',
  });

/** Collects the body by events, which cost less than an iterator; undefined, and paused, above the limit. */
function collect(request: IncomingMessage, limit: number, stallMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onStall = (): void => settle(() => reject(stalled()));
    const timer = setTimeout(onStall, stallMs);
    const onData = (chunk: Buffer): void => {
      timer.refresh();
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) settle(() => resolve(undefined));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const onLost = (error?: Error): void => settle(() => reject(unreadable(error)));
    const settle = (complete: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost).pause();
      complete();
    };
    // No event follows if the client has disconnected already.
    if (request.destroyed) onLost();
    else request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}
