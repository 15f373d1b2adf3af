/** Fetches a file from an address that a client names, within the address rules of outgoing requests. */
import path from 'node:path';
import type { OutboundClient } from '@quire/outbound/outbound-client';
import { OutboundError } from '@quire/outbound/outbound-error';
import { valueError } from '../../errors.ts';

export interface RemoteFile {
  /** Last part of the path of the address; may be empty. */
  name: string;
  contentType: string | undefined;
  body: AsyncIterable<Buffer>;
}

const FETCH_MS = 30_000;
const MAX_REDIRECTS = 5;

export class RemoteFiles {
  readonly #outbound: Pick<OutboundClient, 'request'>;

  constructor(outbound: Pick<OutboundClient, 'request'>) {
    this.#outbound = outbound;
  }

  /** Throws 422 at `url` for an address that may not be called or does not answer with a file. */
  async open(url: string, maxBytes: number, signal: AbortSignal): Promise<RemoteFile> {
    const request = { method: 'GET', url, signal, timeoutMs: FETCH_MS, maxBytes, maxRedirects: MAX_REDIRECTS } as const;
    const response = await refusing(this.#outbound.request(request));
    const { status, headers, body } = response;
    if (status !== 200) {
      response.cancel();
      throw valueError(['url'], `the address answered with status ${status}`);
    }
    return { name: nameOf(url), contentType: headers['content-type'], body: readAll(body) };
  }
}

async function* readAll(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const parts = body[Symbol.asyncIterator]();
  for (let part = await refusing(parts.next()); part.done !== true; part = await refusing(parts.next())) {
    yield part.value;
  }
}

/** Turns a failure of the other side into an error of the request. */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof OutboundError && error.kind !== 'cancelled') throw valueError(['url'], error.message);
    throw error;
  }
}

function nameOf(url: string): string {
  const last = path.posix.basename(new URL(url).pathname);
  return /%(?![0-9a-f]{2})/i.test(last) ? last : decodeURIComponent(last);
}
