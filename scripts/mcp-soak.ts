/**
 * `npm run mcp-soak`: 6,000 calls of tools on connections of both generations of clients. After each 500 calls it
 * prints the data on the heap of the service after full garbage collections, the code that V8 has compiled, and the
 * memory. Exits with 1 if the data grow by more than 200 bytes a call from call 2,000 on. Code is compiled for
 * functions that are called often, so that it grows for some thousand calls; the memory depends on the collector.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, connectLegacy, type ConnectedClient } from '../packages/server/test/mcp-clients.ts';
import { memoryMb, removeDirectory, startService } from '../packages/server/test/service-process.ts';

const CALLS = 6_000;
const CALLS_PER_ROUND = 500;
const CALLS_PER_CONNECTION = 50;
/** Number of calls after which caches are filled and code is compiled. */
const SETTLED_CALLS = 2_000;
const MAX_GROWTH_BYTES = 200;

const folder = mkdtempSync(path.join(tmpdir(), 'quire-soak-'));
const heapFile = path.join(folder, 'heap');
const hook = path.join(folder, 'hook.mjs');
writeFileSync(
  hook,
  `import { renameSync, writeFileSync } from 'node:fs';
import { getHeapCodeStatistics } from 'node:v8';
process.on('SIGUSR2', async () => {
  // Each request of the web interface has a finaliser, which runs after a collection and frees what the next one finds.
  for (let round = 0; round < 4; round += 1) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics();
  const code = code_and_metadata_size + bytecode_and_metadata_size;
  writeFileSync(${JSON.stringify(`${heapFile}.new`)}, JSON.stringify({ data: heapUsed + external - code, code }));
  renameSync(${JSON.stringify(`${heapFile}.new`)}, ${JSON.stringify(heapFile)});
});
`,
);

interface Heap {
  /** Bytes of objects, and of buffers outside of the heap. */
  data: number;
  /** Bytes of compiled code. */
  code: number;
}

/** Returns the heap after full garbage collections. */
async function heapOf(pid: number): Promise<Heap> {
  rmSync(heapFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    await pause(50);
    try {
      return JSON.parse(readFileSync(heapFile, 'utf8')) as Heap;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Returns the slope of the least-squares line through the points. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const products = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return products / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

const service = await startService({ nodeArgs: ['--expose-gc', `--import=${hook}`] });
try {
  const { id } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'Soak' });
  const collection = await service.request<{ id: string }>('POST', `/w/${id}/col`, { name: 'Library' });
  const text = { name: 'hours.md', content: 'The library closes at eight.', contentType: 'text/markdown' };
  const document = await service.request<{ id: string }>(
    'POST',
    `/w/${id}/col/${collection.id}/docs/raw?wait=60`,
    text,
  );
  const target = { address: service.address, url: `/v1/w/${id}`, key: service.rootKey };

  /** Calls the tools in turn, on new connections of alternating generations. */
  const callTools = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += CALLS_PER_CONNECTION) {
      const open = (done / CALLS_PER_CONNECTION) % 2 === 0 ? connect : connectLegacy;
      const client: ConnectedClient = await open(target);
      for (let call = 0; call < CALLS_PER_CONNECTION; call += 5)
        await Promise.all([
          client.tools(),
          client.call('search', { query: 'When does the library close?' }),
          client.call('fetch', { id: document.id }),
          client.call('list_documents', { collection: collection.id }),
          client.call('ask', { question: 'When does the library close?' }),
        ]);
      await client.close();
    }
  };
  const heaps: [number, number][] = [];
  for (let calls = CALLS_PER_ROUND; calls <= CALLS; calls += CALLS_PER_ROUND) {
    await callTools(CALLS_PER_ROUND);
    const { data, code } = await heapOf(service.pid);
    if (calls >= SETTLED_CALLS) heaps.push([calls, data]);
    const [dataMb, codeMb] = [data, code].map((bytes) => (bytes / 1e6).toFixed(2));
    console.log(`after ${calls} calls: data ${dataMb} MB, code ${codeMb} MB, memory ${memoryMb(service.pid).own} MB`);
  }
  const growth = slopeOf(heaps);
  console.log(`the data grow by ${Math.round(growth)} bytes a call from call ${SETTLED_CALLS} on`);
  if (growth > MAX_GROWTH_BYTES) process.exitCode = 1;
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
  removeDirectory(folder);
}
