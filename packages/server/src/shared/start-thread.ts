import { Worker } from 'node:worker_threads';

/** Threads cannot load TypeScript on Node 20: under vitest and tsx they register tsx first. */
const LOAD_SOURCE = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(require('node:worker_threads').workerData.file);
})`;

/** Starts a thread with the compiled file, or with its source where this runs from source itself. */
export function startThread(compiled: URL, workerData: object = {}): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(compiled, { workerData });
  const file = compiled.href.replace(/\.js$/, '.ts');
  return new Worker(LOAD_SOURCE, { eval: true, workerData: { ...workerData, file } });
}
