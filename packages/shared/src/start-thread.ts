import { Worker } from 'node:worker_threads';
import { compiledFile } from './compiled-file.ts';

/** Starts a worker thread that runs the compiled file `name` beside the calling module. */
export const startThread = (moduleUrl: string, name: string, workerData: object = {}): Worker =>
  new Worker(compiledFile(moduleUrl, name), { workerData });
