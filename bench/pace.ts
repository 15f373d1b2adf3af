/** How long requests take: one after another, and from several clients at once. */
import { inParallel } from './statistics.ts';

/** How a search is asked: text in, hits out. */
export type Ask = (query: string) => Promise<unknown>;

/** In ms, one after another. */
export async function timesOf(ask: Ask, queries: readonly string[]): Promise<number[]> {
  const samples: number[] = [];
  for (const query of queries) samples.push(await timeOf(ask, query));
  return samples;
}

/** The same from so many clients, and how many were answered a second. */
export async function timesTogether(
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
