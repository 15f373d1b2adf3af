/**
 * Ends the cluster manager of OpenSearch with SIGKILL while rows are written and searched, and starts it again. Every
 * row whose write was acknowledged must be found, before the node is back and after it; searches must continue.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OpenSearchIndex } from '@quire/search/opensearch/opensearch-index';
import { parseOpenSearchLocation } from '@quire/search/opensearch/opensearch-location';
import type { IndexRow } from '@quire/search/search-index';
import type { OpenSearchServers } from './opensearch-node.ts';

const TABLE = { name: 'c_manager', dimensions: 8 };
const WRITERS = 4;
const SEARCHERS = 2;
const BEFORE_MS = 5_000;
const AWAY_MS = 20_000;
/** Maximum time without an answered search. */
const MAX_GAP_MS = 15_000;

/** A word of letters for each row. */
const wordOf = (key: number): string => `w${Array.from(String(key), (digit) => 'bcdfghjklm'[Number(digit)]).join('')}`;

const rowOf = (key: number): IndexRow => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(key),
  revision: 1,
  terms: `wing ${wordOf(key)}`,
  vector: Float32Array.from({ length: TABLE.dimensions }, (_, at) => Math.sin(key * (at + 1))),
});

/** Prints what happened. Resolves to whether all promises were kept. */
export async function killManager(servers: OpenSearchServers): Promise<boolean> {
  const location = parseOpenSearchLocation(`${servers.address}/manager?shards=3&replicas=1`);
  const index = new OpenSearchIndex({ location });
  const acknowledged: number[] = [];
  const counts = { failedWrites: 0, searches: 0, failedSearches: 0, wrongSearches: 0, longestMs: 0 };
  let longestGapMs = 0;
  let answeredAt = performance.now();
  let next = 0;
  const stop = new AbortController();
  const write = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const key = (next += 1);
      try {
        await index.add(TABLE, [rowOf(key)]);
        acknowledged.push(key);
      } catch {
        // A row without an acknowledgement may be there or not.
        counts.failedWrites += 1;
        await delay(100);
      }
    }
  };
  const search = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const key = acknowledged[Math.floor(Math.random() * acknowledged.length)];
      const startedAt = performance.now();
      try {
        if (key === undefined) await delay(10);
        else {
          const [sparse, dense] = await Promise.all([
            index.searchSparse(TABLE, [wordOf(key)], 5),
            index.searchDense(TABLE, rowOf(key).vector ?? new Float32Array(), 5),
          ]);
          counts.searches += 1;
          if (!sparse.some((hit) => hit.chunkKey === BigInt(key)) || dense.length === 0) counts.wrongSearches += 1;
          const now = performance.now();
          counts.longestMs = Math.max(counts.longestMs, now - startedAt);
          longestGapMs = Math.max(longestGapMs, now - answeredAt);
          answeredAt = now;
        }
      } catch {
        counts.failedSearches += 1;
        await delay(100);
      }
    }
  };
  const work = [...Array.from({ length: WRITERS }, write), ...Array.from({ length: SEARCHERS }, search)];
  await delay(BEFORE_MS);
  const { name } = await servers.manager();
  const before = acknowledged.length;
  await servers.kill(name);
  await delay(AWAY_MS);
  const { name: successor } = await servers.manager();
  stop.abort();
  await Promise.all(work);
  const lost = await missing(index, acknowledged);
  await servers.restart(name);
  const lostLater = await missing(index, acknowledged);
  await index.drop(TABLE);
  await index.close();
  process.stdout.write(
    `${name} was the manager and was killed, ${successor} is: ${acknowledged.length} rows acknowledged ` +
      `(${acknowledged.length - before} after it), ${counts.failedWrites} writes failed; ${counts.searches} searches ` +
      `answered, ${counts.failedSearches} failed, ${counts.wrongSearches} lacked a row, the longest took ` +
      `${Math.round(counts.longestMs)} ms, at most ${Math.round(longestGapMs)} ms without an answer; ` +
      `${lost} acknowledged rows lost, ${lostLater} after its return\n`,
  );
  const wasServed = counts.searches > 0 && counts.wrongSearches === 0 && longestGapMs < MAX_GAP_MS;
  return wasServed && lost === 0 && lostLater === 0 && acknowledged.length > before && successor !== name;
}

/** Returns the number of rows that are not found by their words. */
async function missing(index: OpenSearchIndex, keys: readonly number[]): Promise<number> {
  let count = 0;
  for (const key of keys) {
    const hits = await index.searchSparse(TABLE, [wordOf(key)], 5);
    if (!hits.some((hit) => hit.chunkKey === BigInt(key))) count += 1;
  }
  return count;
}
