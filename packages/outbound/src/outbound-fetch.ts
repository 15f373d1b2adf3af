/** A `fetch` for SDKs: requests pass the same address checks, with limits on time and size. Bodies are streamed. */
import type { OutboundClient, OutboundRequest, OutboundResponse } from './outbound-client.ts';

/** The type of `fetch` that SDKs accept. */
export type Fetch = typeof globalThis.fetch;
export type FetchLimits = Pick<OutboundRequest, 'timeoutMs' | 'firstByteMs' | 'idleMs' | 'maxBytes' | 'keepAlive'>;

/** Supports GET and POST of text. The call and its body reject with the errors of `outbound`. */
export function outboundFetch(outbound: Pick<OutboundClient, 'request'>, limits: FetchLimits): Fetch {
  return async (input, init = {}) => {
    const response = await outbound.request({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      signal: init.signal ?? new AbortController().signal,
      ...limits,
    });
    return new Response(hasBody(response.status) ? streamOf(response) : null, {
      status: response.status,
      headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    });
  };
}

const hasBody = (status: number): boolean => ![204, 205, 304].includes(status);

/** Returns a stream that reads from the response only on demand. */
function streamOf(response: OutboundResponse): ReadableStream<Uint8Array> {
  const parts = response.body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => response.cancel(),
    },
    { highWaterMark: 0 },
  );
}
