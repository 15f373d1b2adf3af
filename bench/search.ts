/** Measures searches over HTTP: latency, CPU time, throughput, filters and memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelNotFoundError } from '@quire/models/local/model-resolver';
import { cpuMs, memoryMb, type ServiceProcess } from '../packages/server/test/service-process.ts';
import { compareWithChroma } from './chroma.ts';
import { HttpClient } from './http-client.ts';
import { CLIENTS, createCollection, largeDocument, settled, type Figures } from './measures.ts';
import { timesOf, concurrentTimes, type Ask } from './pace.ts';
import { inParallel, percentile, round } from './statistics.ts';
import { CHUNKS_PER_DOCUMENT, embedderOf, loadSynthetic, withDatabase, type CollectionPlace } from './synthetic.ts';
import { TextSource } from './text.ts';

export interface SearchMeasure {
  chunks: number;
  /** Fills the collection in bulk instead of ingesting (see `synthetic.ts`). */
  synthetic: boolean;
  /** Address of a Chroma server to compare dense searches with. */
  chroma: string | undefined;
}

/** Prefix of the collections' names, before their size. */
const NAME = 'search';
const QUERIES = 400;
/** Number of searches before the measured ones. V8 optimises the code of a search during the first two thousand. */
const WARMING = 2_000;
/** Number of rounds over the queries with all clients. */
const ROUNDS = 3;

export async function measureSearch(service: ServiceProcess, ws: string, options: SearchMeasure): Promise<Figures> {
  const col = await createCollection(service, ws, `${NAME} ${options.chunks}`);
  const source = new TextSource(2);
  const loaded = options.synthetic
    ? await loadInBulk(service, { ws, col }, options.chunks, source)
    : await ingest(service, { ws, col }, options.chunks, source);
  const { chunkCount } = await settled(service, ws, col);
  const client = new HttpClient(service.address, { authorization: `Bearer ${service.rootKey}` });
  const asking =
    (fields: object): Ask =>
    (query) =>
      client.request('POST', `/v1/w/${ws}/col/${col}/search`, { query, limit: 10, ...fields });
  const queries = Array.from({ length: QUERIES }, () => source.words(4));
  const documents = Math.ceil(options.chunks / CHUNKS_PER_DOCUMENT);
  const one = { filter: { 'metadata.number': documents >> 1 } };
  const most = { filter: { 'metadata.number': { gte: documents >> 2 } } };
  const figures = {
    chunks: chunkCount,
    ...loaded,
    'index loaded ms': round(await loadedMs(asking({}), queries[0] ?? '')),
    ...(await measureHybrid(service, asking({}), queries)),
    ...(await embeddingTime(service, col, queries)),
    'filter of one document, p50 ms': await median(asking(one), queries.slice(0, 100)),
    'filter of three quarters, p50 ms': await median(asking(most), queries.slice(0, 100)),
    ...(options.chroma === undefined
      ? {}
      : await compareWithChroma(service, col, options.chroma, queries, asking({ mode: 'dense' }))),
    'memory of the process MB': memoryMb(service.pid).own,
    'memory of all processes MB': memoryMb(service.pid).all,
  };
  client.close();
  return figures;
}

async function measureHybrid(service: ServiceProcess, ask: Ask, queries: readonly string[]): Promise<Figures> {
  await concurrentTimes(
    ask,
    Array.from({ length: WARMING }, (_, at) => queries[at % QUERIES] ?? ''),
    CLIENTS,
  );
  const before = cpuMs(service.pid);
  const samples = await timesOf(ask, queries);
  const after = cpuMs(service.pid);
  const rounds = Array.from({ length: ROUNDS }, () => queries).flat();
  const { samples: together, perSecond } = await concurrentTimes(ask, rounds, CLIENTS);
  const busy = cpuMs(service.pid);
  return {
    'search p50 ms': round(percentile(samples, 0.5), 2),
    'search p95 ms': round(percentile(samples, 0.95), 2),
    'CPU ms per search, service process': round((after.own - before.own) / queries.length, 2),
    'CPU ms per search, all processes': round((after.all - before.all) / queries.length, 2),
    'searches per s, 8 clients': round(perSecond),
    'search p50 ms, 8 clients': round(percentile(together, 0.5), 2),
    'search p95 ms, 8 clients': round(percentile(together, 0.95), 2),
    'CPU ms per search, all processes, 8 clients': round((busy.all - after.all) / together.length, 2),
  };
}

/** Repeats a search that is refused while the table is loaded. */
async function loadedMs(ask: Ask, query: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await ask(query);
      return performance.now() - startedAt;
    } catch (error) {
      if (!String(error).includes('being loaded')) throw error;
    }
  }
}

const median = async (ask: Ask, queries: readonly string[]): Promise<number> =>
  round(percentile(await timesOf(ask, queries), 0.5), 2);

/** Measures the embedding of a query alone; the searches above include it. */
async function embeddingTime(service: ServiceProcess, col: string, queries: readonly string[]): Promise<Figures> {
  const embedder = await withDatabase(service, (pool) => embedderOf(pool, col)).catch((error: unknown) => {
    if (!(error instanceof ModelNotFoundError)) throw error;
    process.stderr.write(`the embedding of queries is not measured: ${error.message}\n`);
  });
  if (embedder === undefined) return {};
  const embed: Ask = (query) => embedder.embedQuery(query, AbortSignal.timeout(60_000));
  return { 'embedding of the query (included), p50 ms': await median(embed, queries) };
}

async function loadInBulk(
  service: ServiceProcess,
  to: CollectionPlace,
  chunks: number,
  source: TextSource,
): Promise<Figures> {
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, memoryMb(service.pid).all)), 1000);
  try {
    const insertMs = await loadSynthetic(service, to, chunks, source);
    return {
      'inserted chunks per s (bulk)': round(chunks / (insertMs / 1000)),
      'memory peak of all processes MB': peak,
    };
  } finally {
    clearInterval(sampler);
  }
}

/** Measures the first searches after a restart, on all measured collections; they open the indexes. */
export async function measureFirstSearches(service: ServiceProcess, ws: string): Promise<Figures> {
  const { items } = await service.request<{ items: { id: string; name: string }[] }>('GET', `/w/${ws}/col`);
  const figures: Figures = {};
  for (const { id, name } of items.filter((each) => each.name.startsWith(NAME))) {
    const source = new TextSource(3);
    const ask: Ask = (query) => service.request('POST', `/w/${ws}/col/${id}/search`, { query, limit: 10 });
    figures[`first ${name} ms`] = round(await loadedMs(ask, source.words(4)));
    const [second = 0] = await timesOf(ask, [source.words(4)]);
    figures[`second ${name} ms`] = round(second);
  }
  return figures;
}

/** Ingests documents of 100 sections with one chunk each. */
async function ingest(
  service: ServiceProcess,
  { ws, col }: CollectionPlace,
  chunks: number,
  source: TextSource,
): Promise<Figures> {
  const startedAt = performance.now();
  await inParallel(Array(Math.ceil(chunks / 100)).keys(), CLIENTS, async (number) => {
    const content = largeDocument(source, number);
    const document = { name: `${number}.md`, content, contentType: 'text/markdown' };
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, { ...document, metadata: { number: number * 10 } });
  });
  const { chunkCount } = await settled(service, ws, col);
  const seconds = (performance.now() - startedAt) / 1000;
  // The last rows are indexed after 5 s without writes to the table.
  await sleep(8_000);
  return { 'ingested chunks per s': round(chunkCount / seconds) };
}
