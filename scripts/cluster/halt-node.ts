/**
 * Halts an OpenSearch node that holds shards (its connections stay open and do not answer) while rows are written and
 * searched, and prints the longest time without an answered search and without an acknowledged write.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OpenSearchIndex } from '@quire/search/opensearch/opensearch-index';
import { parseOpenSearchLocation } from '@quire/search/opensearch/opensearch-location';
import type { OpenSearchServers } from './opensearch-node.ts';

const TABLE = { name: 'c_halted', dimensions: null };
const CLIENTS = 4;
const BEFORE_MS = 5_000;
const HALTED_MS = 50_000;

/** The longest time between two successes, and the number of both outcomes. */
class Gaps {
  longestMs = 0;
  succeeded = 0;
  failed = 0;
  #at = performance.now();

  async note(work: Promise<unknown>): Promise<void> {
    try {
      await work;
      const now = performance.now();
      this.longestMs = Math.max(this.longestMs, now - this.#at);
      this.#at = now;
      this.succeeded += 1;
    } catch {
      this.failed += 1;
      await delay(100);
    }
  }

  describe(name: string): string {
    return `${name}: ${this.succeeded} succeeded, ${this.failed} failed, ${(this.longestMs / 1000).toFixed(1)} s without one`;
  }
}

export async function haltNode(servers: OpenSearchServers): Promise<void> {
  const location = parseOpenSearchLocation(`${servers.address}/halted?shards=3&replicas=1`);
  const index = new OpenSearchIndex({ location });
  const row = { documentKey: 1n, revision: 1, terms: 'wing' };
  await index.add(TABLE, [{ ...row, chunkKey: 0n }]);
  const manager = await servers.manager();
  const halted = servers.nodes.find(({ name }) => name !== manager.name);
  if (halted === undefined) throw new Error('Two nodes or more are needed');
  const searches = new Gaps();
  const writes = new Gaps();
  const stop = new AbortController();
  let next = 1n;
  const repeat = async (gaps: Gaps, work: () => Promise<unknown>): Promise<void> => {
    while (!stop.signal.aborted) {
      await gaps.note(work());
      await delay(20);
    }
  };
  const running = Array.from({ length: CLIENTS }, () => [
    repeat(searches, () => index.searchSparse(TABLE, ['wing'], 5)),
    repeat(writes, () => index.add(TABLE, [{ ...row, chunkKey: next++ }])),
  ]).flat();
  await delay(BEFORE_MS);
  halted.process.kill('SIGSTOP');
  await delay(HALTED_MS);
  halted.process.kill('SIGCONT');
  stop.abort();
  await Promise.all(running);
  await index.drop(TABLE);
  await index.close();
  process.stdout.write(`${halted.name} was halted. ${searches.describe('searches')}; ${writes.describe('writes')}\n`);
}
