/**
 * Runs one synchronisation of a generated source to its end, until the process is killed. Prints a line when it begins,
 * and its memory and time when the synchronisation has ended. Arguments: the id of the synchronisation and the place of
 * the engine.
 */
import { Engine } from '../connectors/engine.ts';
import { GENERATED_KINDS, progress } from '../connectors/many-source.ts';

const SLICE_MS = 5_000;
/** Number of objects after which the memory of a process that works is measured: a service has worked before. */
const WARM_OBJECTS = 20_000;

const [syncId = '', ...place] = process.argv.slice(2);
const engine = await Engine.attach(place, GENERATED_KINDS);
const memory = { startBytes: process.memoryUsage().rss, warmBytes: 0, peakBytes: 0 };
const timer = setInterval(() => {
  const { rss } = process.memoryUsage();
  memory.peakBytes = Math.max(memory.peakBytes, rss);
  if (memory.warmBytes === 0 && progress.listed >= WARM_OBJECTS) memory.warmBytes = rss;
}, 50);
const startedMs = performance.now();
console.log('begun');
await engine.finish(syncId, SLICE_MS);
clearInterval(timer);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    ...memory,
    cpuMs: Math.round((user + system) / 1000),
    ms: Math.round(performance.now() - startedMs),
  }),
);
await engine.database.drop();
