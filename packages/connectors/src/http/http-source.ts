/** HTTP requests of a connector: failures of the network and of the server become errors of connectors. */
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { OutboundClient, OutboundMethod, OutboundResponse } from '@quire/outbound/outbound-client';
import { OutboundError } from '@quire/outbound/outbound-error';
import {
  AddressRefused,
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  SourceUnavailable,
} from '../connector-error.ts';
import { retryAfterMs } from './retry-after.ts';

/** Maximum size of a response that is not a file, in bytes. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** Maximum time until a connection is established, in milliseconds. */
const CONNECT_MS = 10_000;
/** Maximum time without a byte, in milliseconds. */
const IDLE_MS = 60_000;
/** Maximum time of a whole response, in milliseconds. */
const TOTAL_MS = 6 * 60 * 60 * 1000;

export interface SourceRequest {
  method?: OutboundMethod;
  url: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  signal: AbortSignal;
  /** Maximum size of the body of the response. Default `MAX_RESPONSE_BYTES`. */
  maxBytes?: number;
  maxRedirects?: number;
}

export interface SourceResponse extends OutboundResponse {
  /** Rejects with the errors of connectors. */
  body: AsyncIterable<Buffer>;
}

export class HttpSource {
  readonly #outbound: Pick<OutboundClient, 'request'>;

  constructor(outbound: Pick<OutboundClient, 'request'>) {
    this.#outbound = outbound;
  }

  async request(request: SourceRequest): Promise<SourceResponse> {
    const { signal } = request;
    signal.throwIfAborted();
    const response = await this.#outbound
      .request({
        method: 'GET',
        maxBytes: MAX_RESPONSE_BYTES,
        timeoutMs: TOTAL_MS,
        firstByteMs: IDLE_MS,
        idleMs: IDLE_MS,
        connectMs: CONNECT_MS,
        keepAlive: true,
        ...request,
      })
      .catch((error: unknown) => {
        throw sourceError(error, signal);
      });
    return { ...response, body: converted(response.body, signal) };
  }
}

async function* converted(body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncIterable<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw sourceError(error, signal);
  }
}

function sourceError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof OutboundError)) return error;
  if (error.kind === 'refused') return new AddressRefused(error.message, { cause: error });
  return new SourceUnavailable(error.message, null, { cause: error });
}

/** Reads a whole response that is not a file. */
export async function readResponse({ body }: SourceResponse): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** Converts the body of a file. A failure of the network or a body over the limit is a failure of this file alone. */
export function fileBody(response: SourceResponse, path: string, signal: AbortSignal): Readable {
  return Readable.from(ofFile(response.body, path), { signal, objectMode: false });
}

async function* ofFile(body: AsyncIterable<Buffer>, path: string): AsyncIterable<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw itemError(error, path);
  }
}

/** Returns the failure of one file for a failure while it was read. */
export function itemError(error: unknown, path: string): unknown {
  if (!(error instanceof SourceUnavailable)) return error;
  const isTooLarge = error.cause instanceof OutboundError && error.cause.kind === 'too_large';
  return new ItemFailed(path, isTooLarge ? 'too_large' : 'network', error.message, { cause: error });
}

/** Throws if a file is larger than the connector may read. */
export function checkSize(sizeBytes: number | undefined, maxFileBytes: number, path: string): void {
  if (sizeBytes === undefined || sizeBytes <= maxFileBytes) return;
  throw new ItemFailed(path, 'too_large', `the file has ${sizeBytes} bytes, more than ${maxFileBytes}`);
}

/** Returns the error for a status that fits to no file or folder. */
export function statusError({ status, headers }: Pick<OutboundResponse, 'status' | 'headers'>): ConnectorError {
  if (status === 401 || status === 403) {
    return new CredentialsRefused(`the source refused the credentials (HTTP ${status})`);
  }
  return new SourceUnavailable(`the source answered with HTTP ${status}`, retryAfterMs(headers['retry-after']));
}

/** Returns the number of bytes that the server announced; undefined if it announced none. */
export function contentLength({ headers }: Pick<OutboundResponse, 'headers'>): number | undefined {
  const length = Number(headers['content-length'] ?? 'none');
  return Number.isSafeInteger(length) ? length : undefined;
}
