/**
 * A thread in each child process that goes on when the main thread hangs in a parser. It ends the child's whole
 * process group when memory passes the cap (resident size, so that WASM heaps and buffers count, which V8's own limit
 * does not see) and when the parent is gone, even by SIGKILL.
 */
import { rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL } from './protocol.ts';

/** What the child's main thread tells its watchdog. */
export interface WatchdogSettings {
  memoryBytes: number;
  parentPid: number;
  /** The child's own directory, removed when nobody else is left to do it. */
  directory: string;
}

/** A process fills about 1.5 GB a second: 25 ms let it pass the cap by 40 MB. A look costs about 15 µs. */
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
