/** Polls `/healthz` from a process of its own, so that the load of the attacks is not in the figures. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface ProbeFigures {
  /** Number of answers, and of polls that failed or were not answered within 30 s. */
  answers: number;
  failures: number;
  /** Times in ms until the answer. */
  p50: number;
  p99: number;
  max: number;
  /** Resident memory of the service's main process in MB: at the start of the probe, and the largest seen. */
  idleMb: number;
  maxMb: number;
  /** Delay of the service's event loop in ms by its own measure, since the last reading of its metrics. */
  loopP99: number;
  loopMax: number;
  /** Largest delay in ms of the probe's own timers, which the load of the machine causes. */
  ownDelay: number;
}

const INTERVAL_MS = 25;
const LIMIT_MS = 30_000;

/** Starts the probe; the returned function ends it and returns its figures. */
export async function startProbe(url: string, key: string, pid: number): Promise<() => Promise<ProbeFigures>> {
  await readLoop(url, key);
  const child = fork(fileURLToPath(import.meta.url), [url, String(pid)], { execArgv: process.execArgv });
  await once(child, 'message');
  return async () => {
    const figures = once(child, 'message');
    child.send('stop');
    const [found] = (await figures) as [Omit<ProbeFigures, 'loopP99' | 'loopMax'>];
    return { ...found, ...(await readLoop(url, key)) };
  };
}

/** Reads the delay of the service's event loop; a reading starts the next measurement. */
async function readLoop(url: string, key: string): Promise<{ loopP99: number; loopMax: number }> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  const read = (name: string): number => {
    const seconds = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1];
    return Math.round(Number(seconds) * 1000);
  };
  return { loopP99: read('p99'), loopMax: read('max') };
}

/** Returns the resident memory of a process in MB; 0 where it cannot be read. */
function residentMb(pid: number): number {
  try {
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

async function probe(url: string, pid: number, isStopped: () => boolean): Promise<object> {
  const times: number[] = [];
  let failures = 0;
  let ownDelay = 0;
  const idleMb = residentMb(pid);
  let maxMb = idleMb;
  while (!isStopped()) {
    const startedAt = performance.now();
    try {
      const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) });
      await response.text();
      if (!response.ok) failures += 1;
    } catch {
      failures += 1;
    }
    times.push(performance.now() - startedAt);
    maxMb = Math.max(maxMb, residentMb(pid));
    const restedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    ownDelay = Math.max(ownDelay, performance.now() - restedAt - INTERVAL_MS);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const figures = { p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: Math.round(sorted.at(-1) ?? 0) };
  return { answers: times.length - failures, failures, ...figures, idleMb, maxMb, ownDelay: Math.round(ownDelay) };
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url = '', pid = '0'] = process.argv;
  let stopped = false;
  process.once('message', () => (stopped = true));
  process.send('started');
  process.send(await probe(url, Number(pid), () => stopped));
  process.disconnect();
}
