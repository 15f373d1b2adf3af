/** A `fetch` whose connections break at random, as those of trains and laptops do. The random numbers are seeded. */
import type { Fetch } from '@quire/client';

export type Cut = 'refused' | 'lost' | 'broken' | 'ended';

export interface CuttingFetch {
  fetch: Fetch;
  /** The cuts that were made, in order. */
  cuts: Cut[];
}

/** Cuts the streamed answers of `url`s that match, up to `most` times; a body is cut within its first `maxBytes`. */
export function cuttingFetch(random: () => number, most: number, maxBytes: number): CuttingFetch {
  const cuts: Cut[] = [];
  const kinds: Cut[] = ['refused', 'lost', 'broken', 'ended'];
  return {
    cuts,
    fetch: async (url, init) => {
      const isStream = /\/message$|\/stream(\?|$)/.test(url);
      const kind = kinds[Math.floor(random() * kinds.length)] ?? 'broken';
      const bytes = Math.floor(random() * maxBytes);
      if (!isStream || cuts.length >= most) return fetch(url, init);
      const failure = new TypeError(`the connection was cut (${kind})`);
      if (kind === 'refused') {
        cuts.push(kind);
        throw failure;
      }
      const response = await fetch(url, init);
      if (response.body === null || !response.ok) return response;
      if (kind === 'lost') {
        cuts.push(kind);
        await response.body.cancel();
        throw failure;
      }
      return new Response(cutAfter(response.body, bytes, kind, failure, cuts), response);
    },
  };
}

function cutAfter(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  kind: Cut,
  failure: Error,
  cuts: Cut[],
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = bytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (value.length <= left) {
          left -= value.length;
          return controller.enqueue(value);
        }
        cuts.push(kind);
        if (left > 0) controller.enqueue(value.subarray(0, left));
        await reader.cancel();
        if (kind === 'ended') controller.close();
        else controller.error(failure);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Mulberry32, a small generator of random numbers in 0..1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
