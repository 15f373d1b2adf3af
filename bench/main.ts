/**
 * Measures a service over HTTP and prints a table with the machine's description; `bench/results/` keeps the JSON.
 * `npm run bench -- --quick` leaves out the collection of 100,000 chunks.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureIngest, measureSearch, measureUpload, type Figures } from './measures.ts';
import { measureRuns } from './runs.ts';
import { measureWebhooks } from './webhooks.ts';
import { memoryMb, removeDirectory, startService } from '../packages/server/test/service-process.ts';

const results = path.join(path.dirname(fileURLToPath(import.meta.url)), 'results');
const quick = process.argv.includes('--quick');
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
const table: Record<string, Figures> = {};

async function measure(name: string, work: () => Promise<Figures>): Promise<void> {
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
  await measure('upload of 190 MB', () => measureUpload(service, ws, 190));
  await measure('search at 20,000 chunks', () => measureSearch(service, ws, 20_000));
  if (!quick) await measure('search at 100,000 chunks', () => measureSearch(service, ws, 100_000));
  await measure('1,000 runs of one page', () => measureRuns(service, ws, 1_000));
  await measure('10,000 webhook deliveries', () => measureWebhooks(10_000));
  await service.stop();
  const { dataDir, rootKey } = service;
  service = await startService({ dataDir, rootKey });
  table['start on existing data'] = { 'start ms': Math.round(service.startMs) };
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
