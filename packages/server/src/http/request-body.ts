/** Bodies that fit into memory, read whole with a limit; and what is done with one that is not wanted. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError, badRequest } from '../errors.ts';

/**
 * A client that is still sending when it is refused sees a reset connection and not the answer, so the rest of its
 * body is read and thrown away first, up to these.
 */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

/** 413 for a body over the limit, `type` as in the contract; call it only when the rest was drained. */
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

/**
 * Reads on to the end of the body, or to the caps; then the 413 to throw, about a `part` of a form or the whole body.
 */
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

/** What a body says it will be; undefined when it does not say. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}

const unreadable = (error: unknown): ApiError =>
  badRequest(`The body could not be read to its end: ${error instanceof Error ? error.message : 'aborted'}`);

/** The chunks of a body. Ending early leaves the connection open; a client that goes away is a 400. */
export async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw unreadable(error);
  }
}

/** The whole body; over `limit` it is a 413. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if ((declaredLength(request) ?? 0) > limit) throw await refuseTooLarge(request, 'body_too_large', limit);
  const body = await collect(request, limit);
  if (body === undefined) throw await refuseTooLarge(request, 'body_too_large', limit);
  return body;
}

/**
 * By events: an iterator takes a dozen promises for the one chunk of a small body. Undefined, and paused, over the
 * limit.
 */
function collect(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) settle(() => resolve(undefined));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const onLost = (error?: Error): void => settle(() => reject(unreadable(error)));
    const settle = (tell: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost).pause();
      tell();
    };
    // Nothing is told of a client that has gone already.
    if (request.destroyed) onLost();
    else request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}
