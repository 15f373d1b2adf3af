/**
 * `npm run events-cost [-- COUNT]`: CPU time that viewers of the live events take while documents (10,000) are indexed,
 * in four parts, the second and third of them with viewers, and compares the CPU time of the service with its
 * PostgreSQL. Exits with 1 if a viewer takes 3 % of a core or more, or misses a document.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Quire } from '@quire/client';
import { cpuMs, removeDirectory, startService } from '../packages/server/test/service-process.ts';

const DOCUMENTS = Number(process.argv[2] ?? 10_000);
const VIEWERS = 20;
const PARALLEL = 8;
const MAX_SHARE = 0.03;
/** Viewers in each part; the order cancels the growing cost of a growing index. */
const PARTS = [0, VIEWERS, VIEWERS, 0];
const SIZE = DOCUMENTS / PARTS.length;

const WORDS = 'lock gate barge crown winter toll keeper river boat bridge wind rope map fee road'.split(' ');
const textOf = (index: number): string =>
  Array.from({ length: 60 }, (_, at) => WORDS[(index * 7 + at * (1 + (index % 11))) % WORDS.length]).join(' ');

interface Part {
  cpu: number;
  seconds: number;
  events: number;
}

const service = await startService();
try {
  const root = new Quire({ url: service.address, key: service.rootKey, retries: 8 });
  const quire = root.workspace((await root.workspaces.create({ name: 'Events' })).id);
  const { id } = await quire.collections.create({ name: 'Many' });
  const { documents } = quire.collection(id);

  /** Follows the events until as many documents are ready; returns the number of events. */
  const view = async (signal: AbortSignal, opened: () => void): Promise<number> => {
    const ready = new Set<string>();
    let events = 0;
    for await (const { type, data } of quire.events({ signal })) {
      if (events === 0) opened();
      events += 1;
      if (type === 'document' && data.state?.['status'] === 'ready') ready.add(data.id ?? '');
      if (ready.size === SIZE) break;
    }
    return events;
  };

  const index = async (part: number): Promise<void> => {
    let at = part * SIZE;
    const send = async (): Promise<void> => {
      for (let each = at++; each < (part + 1) * SIZE; each = at++)
        await documents.upload({ name: `${each}.txt`, content: `Note ${each}. ${textOf(each)}` });
    };
    await Promise.all(Array.from({ length: PARALLEL }, send));
    while ((await quire.collections.get(id)).documentCounts.ready < (part + 1) * SIZE) await sleep(200);
  };

  const run = async (part: number, viewers: number): Promise<Part> => {
    const stop = new AbortController();
    const open = { count: 0 };
    const views = Array.from({ length: viewers }, () => view(stop.signal, () => (open.count += 1)));
    // A change that arrives at each viewer shows that its stream has begun.
    for (let at = 0; open.count < viewers; at += 1) {
      await quire.collections.update(id, { metadata: { at } });
      await sleep(500);
    }
    const before = cpuMs(service.pid).all;
    const startedAt = performance.now();
    await index(part);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = (cpuMs(service.pid).all - before) / 1000;
    const limit = AbortSignal.timeout(30_000);
    limit.addEventListener('abort', () => stop.abort(new Error('a viewer missed a document')));
    return { cpu, seconds, events: (await Promise.all(views)).reduce((sum, each) => sum + each, 0) };
  };

  const parts: Part[] = [];
  for (const [part, viewers] of PARTS.entries()) {
    const measured = await run(part, viewers);
    parts.push(measured);
    const { cpu, seconds, events } = measured;
    console.log(
      `${SIZE} documents, ${viewers} viewers: ${cpu.toFixed(1)} s CPU in ${seconds.toFixed(1)} s, ${events} events`,
    );
  }
  const sum = (from: readonly number[], of: 'cpu' | 'seconds'): number =>
    from.reduce((total, part) => total + (parts[part]?.[of] ?? 0), 0);
  const extra = sum([1, 2], 'cpu') - sum([0, 3], 'cpu');
  const share = extra / VIEWERS / sum([1, 2], 'seconds');
  const ofIndexing = extra / VIEWERS / sum([0, 3], 'cpu');
  console.log(
    `a viewer takes ${(share * 100).toFixed(2)} % of a core (${(ofIndexing * 100).toFixed(2)} % of the CPU time of indexing)`,
  );
  if (share >= MAX_SHARE) process.exitCode = 1;
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
}
