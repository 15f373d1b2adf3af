/**
 * Runs the same queries on the same vectors in a Chroma server (`chroma run` of the npm package `chromadb`), dense
 * top 10. Whole searches are compared: Quire embeds the query and returns texts and documents; Chroma receives vectors
 * and returns ids.
 */
import { fromFloat16 } from '@quire/shared/float16';
import type { ServiceProcess } from '../packages/server/test/service-process.ts';
import { HttpClient } from './http-client.ts';
import { CLIENTS, type Figures } from './measures.ts';
import { timesOf, concurrentTimes, type Ask } from './pace.ts';
import { percentile, round } from './statistics.ts';
import { embedderOf, withDatabase } from './synthetic.ts';

const COLLECTIONS = '/api/v2/tenants/default_tenant/databases/default_database/collections';
const BATCH = 1_000;
const WARMING = 50;

export async function compareWithChroma(
  service: ServiceProcess,
  col: string,
  address: string,
  queries: readonly string[],
  ours: Ask,
): Promise<Figures> {
  // Before Chroma has vectors, which it indexes in the background.
  const own = await pace(ours, queries);
  const client = new HttpClient(address);
  const configuration = { hnsw: { space: 'cosine' } };
  const { id } = await client.request<{ id: string }>('POST', COLLECTIONS, { name: `quire-${col}`, configuration });
  try {
    const startedAt = performance.now();
    const chunks = await fill(service, col, (body) => client.request('POST', `${COLLECTIONS}/${id}/add`, body));
    const seconds = (performance.now() - startedAt) / 1000;
    const embedder = await withDatabase(service, (pool) => embedderOf(pool, col));
    const vectors = new Map<string, number[]>();
    for (const query of queries) {
      vectors.set(query, [...(await embedder.embedQuery(query, AbortSignal.timeout(60_000)))]);
    }
    const theirs: Ask = (query) => {
      const body = { query_embeddings: [vectors.get(query)], n_results: 10, include: ['distances'] };
      return client.request('POST', `${COLLECTIONS}/${id}/query`, body);
    };
    const other = await pace(theirs, queries);
    return {
      'Chroma: vectors added per s': round(chunks / seconds),
      'dense p50 ms': own.p50,
      'dense p50 ms, Chroma': other.p50,
      'dense p50, ours / Chroma': round(own.p50 / other.p50, 2),
      'dense searches per s, 8 clients': own.perSecond,
      'dense searches per s, 8 clients, Chroma': other.perSecond,
      'dense searches per s, ours / Chroma': round(own.perSecond / other.perSecond, 2),
    };
  } finally {
    await client.request('DELETE', `${COLLECTIONS}/quire-${col}`);
    client.close();
  }
}

/** Copies the collection's stored vectors to Chroma and returns their number. */
function fill(service: ServiceProcess, col: string, add: (body: object) => Promise<unknown>): Promise<number> {
  return withDatabase(service, async (pool) => {
    let after = '0';
    for (let count = 0; ;) {
      const { rows } = await pool.query<{ key: string; embedding: Buffer }>(
        'select key, embedding from chunks where collection_id = $1 and key > $2 order by key limit $3',
        [col, after, BATCH],
      );
      const last = rows.at(-1);
      if (last === undefined) return count;
      await add({ ids: rows.map((row) => row.key), embeddings: rows.map((row) => [...fromFloat16(row.embedding)]) });
      after = last.key;
      count += rows.length;
    }
  });
}

async function pace(ask: Ask, queries: readonly string[]): Promise<{ p50: number; perSecond: number }> {
  for (const query of queries.slice(0, WARMING)) await ask(query);
  const samples = await timesOf(ask, queries);
  const { perSecond } = await concurrentTimes(ask, queries, CLIENTS);
  return { p50: round(percentile(samples, 0.5), 2), perSecond: round(perSecond) };
}
