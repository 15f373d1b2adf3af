/**
 * A thread in each child that keeps running when the main thread hangs in a parser. Kills the child's process group if
 * the resident size exceeds the limit (it includes WASM heaps and buffers, which V8's own limit does not) or the parent
 * has ended, even by SIGKILL.
 */
import { rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL } from './protocol.ts';

/** Settings that the child's main thread passes to its watchdog. */
export interface WatchdogSettings {
  memoryBytes: number;
  parentPid: number;
  /** The child's own directory, removed here if the parent has ended. */
  directory: string;
}

/** A process fills about 1.5 GB a second, so 25 ms exceed the limit by at most 40 MB. A check takes about 15 µs. */
const INTERVAL_MS = 25;

function watch({ memoryBytes, parentPid, directory }: WatchdogSettings): void {
  setInterval(() => {
    if (process.ppid !== parentPid) {
      rmSync(directory, { recursive: true, force: true });
      endGroup('SIGKILL');
    }
    if (process.memoryUsage.rss() > memoryBytes) endGroup(MEMORY_SIGNAL);
  }, INTERVAL_MS);
}

function endGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-process.pid, signal);
  } catch {
    process.kill(process.pid, signal);
  }
}

const settings: WatchdogSettings = workerData;
watch(settings);
