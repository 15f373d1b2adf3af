/**
 * Downloads files of a model hub through the outbound client: follows redirects to its storage, and gives up on a
 * stalled body.
 */
import type { OutboundClient } from '@quire/outbound/outbound-client';
import type { FetchFile } from './hub.ts';
import { SourceError } from './source.ts';

const DAY_MS = 24 * 3600 * 1000;
const MAX_BYTES = 64 * 1024 ** 3;
const MAX_REDIRECTS = 5;
const STALL_MS = 30_000;

export function fetchThrough(outbound: Pick<OutboundClient, 'request'>): FetchFile {
  return async (url, signal) => {
    const limits = { timeoutMs: DAY_MS, maxBytes: MAX_BYTES, maxRedirects: MAX_REDIRECTS };
    const response = await outbound.request({ method: 'GET', url, signal, ...limits });
    if (response.status === 200) return withoutStalls(response.body, () => response.cancel());
    response.cancel();
    throw new SourceError(`${new URL(url).host} answered ${response.status}`, { answered: true });
  };
}

async function* withoutStalls(body: AsyncIterable<Uint8Array>, cancel: () => void): AsyncIterable<Uint8Array> {
  let stalled = false;
  const timer = setTimeout(() => {
    stalled = true;
    cancel();
  }, STALL_MS);
  try {
    for await (const chunk of body) {
      timer.refresh();
      yield chunk;
    }
  } catch (error) {
    throw stalled ? new SourceError(`nothing came for ${STALL_MS / 1000} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}
