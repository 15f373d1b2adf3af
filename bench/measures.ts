/** What is measured, each over HTTP against a running service. */
import { open, rm } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, memoryMb, type ServiceProcess } from '../packages/server/test/service-process.ts';
import { inParallel, percentile, round } from './statistics.ts';
import { TextSource } from './text.ts';

export type Figures = Record<string, number>;

interface Collection {
  id: string;
  chunkCount: number;
  documentCounts: { indexing: number; ready: number; failed: number };
}

const CLIENTS = 8;

async function createCollection(service: ServiceProcess, ws: string, name: string): Promise<string> {
  return (await service.request<Collection>('POST', `/w/${ws}/col`, { name })).id;
}

async function settled(service: ServiceProcess, ws: string, col: string): Promise<Collection> {
  for (;;) {
    const collection = await service.request<Collection>('GET', `/w/${ws}/col/${col}`);
    if (collection.documentCounts.indexing === 0) return collection;
    await sleep(50);
  }
}

/** Small text documents (2 kB) from 8 clients, until all are ready; and one more on the idle service. */
export async function measureIngest(service: ServiceProcess, ws: string, documents: number): Promise<Figures> {
  const col = await createCollection(service, ws, 'ingest');
  const source = new TextSource(1);
  const contents = Array.from({ length: documents }, () => source.text(300));
  const cpuBefore = cpuMs(service.pid);
  const startedAt = performance.now();
  await inParallel(contents.entries(), CLIENTS, async ([index, content]) => {
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, {
      name: `${index}.txt`,
      content,
      contentType: 'text/plain',
    });
  });
  const acceptedMs = performance.now() - startedAt;
  const { documentCounts } = await settled(service, ws, col);
  const readyMs = performance.now() - startedAt;
  const cpuAfter = cpuMs(service.pid);
  if (documentCounts.ready !== documents) throw new Error(`only ${documentCounts.ready} of ${documents} are ready`);
  return {
    'documents accepted per s': round(documents / (acceptedMs / 1000)),
    'documents ready per s': round(documents / (readyMs / 1000)),
    'CPU ms a document, the service process': round((cpuAfter.own - cpuBefore.own) / documents, 2),
    'CPU ms a document, all processes': round((cpuAfter.all - cpuBefore.all) / documents, 2),
    'one new document searchable after ms': round(await freshness(service, ws, col, source)),
  };
}

/** From the start of an upload to the first search that finds it. */
async function freshness(service: ServiceProcess, ws: string, col: string, source: TextSource): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 10; round++) {
    const marker = `zq${'bcdfghjklm'[round]}x`;
    const startedAt = performance.now();
    const content = `${source.text(300)} ${marker}`;
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, {
      name: 'new.txt',
      content,
      contentType: 'text/plain',
    });
    for (;;) {
      const { hits } = await search(service, ws, col, marker);
      if (hits.length > 0) break;
      await sleep(5);
    }
    samples.push(performance.now() - startedAt);
  }
  return percentile(samples, 0.5);
}

const search = (service: ServiceProcess, ws: string, col: string, query: string, mode = 'hybrid') =>
  service.request<{ hits: unknown[] }>('POST', `/w/${ws}/col/${col}/search`, { query, mode, limit: 10 });

/** Latency of one client after another, and searches per second of 8 clients, at a collection of so many chunks. */
export async function measureSearch(service: ServiceProcess, ws: string, chunks: number): Promise<Figures> {
  const col = await createCollection(service, ws, `search ${chunks}`);
  const source = new TextSource(2);
  const startedAt = performance.now();
  // 180 words make one chunk of the default size; 100 chunks a document.
  await inParallel(Array(Math.ceil(chunks / 100)).keys(), CLIENTS, async (index) => {
    const content = Array.from({ length: 100 }, (_, part) => `# Part ${index} ${part}\n\n${source.text(150)}`).join(
      '\n\n',
    );
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, {
      name: `${index}.md`,
      content,
      contentType: 'text/markdown',
    });
  });
  const { chunkCount } = await settled(service, ws, col);
  const loadS = (performance.now() - startedAt) / 1000;
  await sleep(5_000);
  const queries = Array.from({ length: 400 }, () => source.words(4));
  for (const query of queries.slice(0, 50)) await search(service, ws, col, query);
  const samples: number[] = [];
  const cpuBefore = cpuMs(service.pid);
  for (const query of queries) {
    const from = performance.now();
    await search(service, ws, col, query);
    samples.push(performance.now() - from);
  }
  const cpuAfter = cpuMs(service.pid);
  const concurrentFrom = performance.now();
  await inParallel([...queries, ...queries, ...queries], CLIENTS, async (query) => {
    await search(service, ws, col, query);
  });
  const concurrentS = (performance.now() - concurrentFrom) / 1000;
  return {
    chunks: chunkCount,
    'loaded chunks per s': round(chunkCount / loadS),
    'search p50 ms': round(percentile(samples, 0.5), 2),
    'search p95 ms': round(percentile(samples, 0.95), 2),
    'CPU ms a search, all processes': round((cpuAfter.all - cpuBefore.all) / queries.length, 2),
    'searches per s, 8 clients': round((queries.length * 3) / concurrentS),
    'memory of the process MB': memoryMb(service.pid).own,
    'memory of all processes MB': memoryMb(service.pid).all,
  };
}

/** One large file as a raw body; memory is sampled on the way. */
export async function measureUpload(service: ServiceProcess, ws: string, megabytes: number): Promise<Figures> {
  const col = await createCollection(service, ws, 'upload');
  const file = path.join(tmpdir(), `quire-bench-${process.pid}.csv`);
  const handle = await open(file, 'w');
  const row = `${'cell,'.repeat(200)}\n`;
  const block = row.repeat(Math.ceil((1024 * 1024) / row.length)).slice(0, 1024 * 1024);
  for (let written = 0; written < megabytes; written++) await handle.write(block);
  await handle.close();
  const before = memoryMb(service.pid).own;
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, memoryMb(service.pid).own)), 100);
  const startedAt = performance.now();
  const response = await fetch(`${service.address}/v1/w/${ws}/col/${col}/docs/file-binary`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.rootKey}`, 'content-disposition': 'attachment; filename="large.csv"' },
    body: await openAsBlob(file),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampler);
  await rm(file);
  if (response.status !== 202) throw new Error(`upload: ${response.status} ${await response.text()}`);
  return { 'upload MB per s': round(megabytes / seconds), 'memory before MB': before, 'memory peak MB': peak };
}
