/** The measurements, each over HTTP against a running service. */
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

export const CLIENTS = 8;

export async function createCollection(service: ServiceProcess, ws: string, name: string): Promise<string> {
  return (await service.request<Collection>('POST', `/w/${ws}/col`, { name })).id;
}

export async function settled(service: ServiceProcess, ws: string, col: string): Promise<Collection> {
  for (;;) {
    const collection = await service.request<Collection>('GET', `/w/${ws}/col/${col}`);
    if (collection.documentCounts.indexing === 0) return collection;
    await sleep(50);
  }
}

/** Uploads text documents of 2 kB from 8 clients until all are ready, then one more to the idle service. */
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
    'CPU ms per document, service process': round((cpuAfter.own - cpuBefore.own) / documents, 2),
    'CPU ms per document, all processes': round((cpuAfter.all - cpuBefore.all) / documents, 2),
    'one new document searchable after ms': round(await freshness(service, ws, col, source)),
  };
}

/** Uploads Markdown files of 100 sections, with one chunk each, from 8 clients until all are ready. */
export async function measureLargeIngest(service: ServiceProcess, ws: string, documents: number): Promise<Figures> {
  const col = await createCollection(service, ws, 'large');
  const source = new TextSource(2);
  const contents = Array.from({ length: documents }, (_, number) => largeDocument(source, number));
  const cpuBefore = cpuMs(service.pid);
  const startedAt = performance.now();
  await inParallel(contents.entries(), CLIENTS, async ([index, content]) => {
    const document = { name: `${index}.md`, content, contentType: 'text/markdown' };
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, document);
  });
  const { chunkCount, documentCounts } = await settled(service, ws, col);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuAfter = cpuMs(service.pid);
  if (documentCounts.ready !== documents) throw new Error(`only ${documentCounts.ready} of ${documents} are ready`);
  return {
    'chunks ready per s': round(chunkCount / seconds),
    'CPU ms per chunk, service process': round((cpuAfter.own - cpuBefore.own) / chunkCount, 3),
    'CPU ms per chunk, all processes': round((cpuAfter.all - cpuBefore.all) / chunkCount, 3),
  };
}

export function largeDocument(source: TextSource, number: number): string {
  return Array.from({ length: 100 }, (_, part) => `# Part ${number} ${part}\n\n${source.text(150)}`).join('\n\n');
}

/** Returns the time from the start of an upload to the first search that finds it, in ms. */
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
      const query = { query: marker, limit: 10 };
      const { hits } = await service.request<{ hits: unknown[] }>('POST', `/w/${ws}/col/${col}/search`, query);
      if (hits.length > 0) break;
      await sleep(5);
    }
    samples.push(performance.now() - startedAt);
  }
  return percentile(samples, 0.5);
}

/** Uploads one large file as a raw body and samples the memory meanwhile. */
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
