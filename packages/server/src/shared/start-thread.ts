import { Worker } from 'node:worker_threads';

/** Threads cannot load TypeScript on Node 20: under vitest and tsx they register tsx first. */
const LOAD_SOURCE = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(require('node:worker_threads').workerData.file);
})`;

/** Starts a thread that runs the neighbour `name` (without its ending) of the module, compiled or not as that is. */
export function startThread(moduleUrl: string, name: string, workerData: object = {}): Worker {
  if (!moduleUrl.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, moduleUrl), { workerData });
  const file = new URL(`./${name}.ts`, moduleUrl).href;
  return new Worker(LOAD_SOURCE, { eval: true, workerData: { ...workerData, file } });
}
