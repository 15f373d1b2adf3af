/**
 * Measures a service over HTTP, prints a table with a description of the machine, and writes JSON to `bench/results/`.
 * `npm run bench` searches 10,000 chunks; `-- --chunks 100000` sets another number (or several: `10000,100000`).
 * `--synthetic` fills the collections in bulk instead of ingesting, so that a million chunks take minutes. `--only
 * search` skips the other measurements. `--chroma http://127.0.0.1:8000` compares dense searches with a Chroma server.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureIngest, measureLargeIngest, measureUpload, type Figures } from './measures.ts';
import { measureRuns } from './runs.ts';
import { measureFirstSearches, measureSearch } from './search.ts';
import { measureWebhooks } from './webhooks.ts';
import { memoryMb, removeDirectory, startService } from '../packages/server/test/service-process.ts';

const results = path.join(path.dirname(fileURLToPath(import.meta.url)), 'results');
const { values: given } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    synthetic: { type: 'boolean', default: false },
    chroma: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const sizes = given.chunks.split(',').map(Number);
if (!sizes.every((size) => size > 0)) throw new Error(`--chunks: ${given.chunks} is no list of numbers`);
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
const table: Record<string, Figures> = {};

async function measure(name: string, work: () => Promise<Figures>): Promise<void> {
  if (!name.startsWith(given.only)) return;
  process.stderr.write(`${name}…\n`);
  table[name] = await work();
}

let service = await startService();
try {
  const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'bench' });
  await measure('start', async () => {
    const { own, all } = memoryMb(service.pid);
    return { 'first start ms': Math.round(service.startMs), 'idle process MB': own, 'idle, all processes MB': all };
  });
  await measure('ingest of 2,000 text documents', () => measureIngest(service, ws, 2_000));
  await measure('ingest of 100 large documents', () => measureLargeIngest(service, ws, 100));
  await measure('upload of 190 MB', () => measureUpload(service, ws, 190));
  for (const chunks of sizes) {
    const options = { chunks, synthetic: given.synthetic, chroma: given.chroma };
    await measure(`search at ${chunks.toLocaleString('en')} chunks`, () => measureSearch(service, ws, options));
  }
  await measure('1,000 runs of one page', () => measureRuns(service, ws, 1_000));
  await measure('10,000 webhook deliveries', () => measureWebhooks(10_000));
  await service.stop();
  const { dataDir, rootKey } = service;
  service = await startService({ dataDir, rootKey });
  table['start on existing data'] = {
    'start ms': Math.round(service.startMs),
    ...(await measureFirstSearches(service, ws)),
  };
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
}

console.log(`\n${machine}\n`);
for (const [name, figures] of Object.entries(table)) {
  console.log(name);
  for (const [label, value] of Object.entries(figures))
    console.log(`  ${label.padEnd(42)} ${value.toLocaleString('en')}`);
}
mkdirSync(results, { recursive: true });
const file = path.join(results, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
writeFileSync(file, `${JSON.stringify({ machine, at: new Date().toISOString(), table }, null, 2)}\n`);
console.log(`\n${file}`);
