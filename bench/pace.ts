/** Measures the latency of sequential requests and the throughput of concurrent ones. */
import { inParallel } from './statistics.ts';

/** Sends one search for a text. */
export type Ask = (query: string) => Promise<unknown>;

/** Sends the requests sequentially and returns their latencies in ms. */
export async function timesOf(ask: Ask, queries: readonly string[]): Promise<number[]> {
  const samples: number[] = [];
  for (const query of queries) samples.push(await timeOf(ask, query));
  return samples;
}

/** Sends the requests from several clients and returns latencies and requests per second. */
export async function concurrentTimes(
  ask: Ask,
  queries: readonly string[],
  clients: number,
): Promise<{ samples: number[]; perSecond: number }> {
  const samples: number[] = [];
  const startedAt = performance.now();
  await inParallel(queries, clients, async (query) => {
    samples.push(await timeOf(ask, query));
  });
  return { samples, perSecond: queries.length / ((performance.now() - startedAt) / 1000) };
}

async function timeOf(ask: Ask, query: string): Promise<number> {
  const from = performance.now();
  await ask(query);
  return performance.now() - from;
}
