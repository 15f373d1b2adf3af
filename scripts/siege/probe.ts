/**
 * Requests `/healthz` at a fixed interval, in a process of its own, so that neither the attacks nor a slow answer delay
 * the next request. The parent names the phase by a message; `end` reports the latencies of all phases.
 */
import { Agent, get } from 'node:http';

const INTERVAL_MS = 50;
/** Maximum number of requests without an answer; more of them would be an attack of their own. */
const MAX_OPEN = 100;
const TIMEOUT_MS = 60_000;

export interface PhaseLatencies {
  phase: string;
  count: number;
  /** Requests without an answer with status 200. */
  failed: number;
  p50: number;
  p99: number;
  max: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: MAX_OPEN });
const phases = new Map<string, { latencies: number[]; failed: number }>();
let phase = 'idle';
let open = 0;

function ask(url: string): void {
  if (open >= MAX_OPEN) return;
  open += 1;
  const found = phases.get(phase) ?? { latencies: [], failed: 0 };
  phases.set(phase, found);
  const startedAt = performance.now();
  const settle = (isOk: boolean): void => {
    open -= 1;
    found.latencies.push(performance.now() - startedAt);
    if (!isOk) found.failed += 1;
  };
  get(`${url}/healthz`, { agent, timeout: TIMEOUT_MS }, (response) => {
    response.resume();
    response.once('close', () => settle(response.statusCode === 200 && response.complete));
  })
    .once('timeout', function (this: { destroy(): void }) {
      this.destroy();
    })
    .once('error', () => settle(false));
}

function summarise(): PhaseLatencies[] {
  return [...phases].map(([name, { latencies, failed }]) => {
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
    return { phase: name, count: sorted.length, failed, p50: at(0.5), p99: at(0.99), max: at(1) };
  });
}

const [url = ''] = process.argv.slice(2);
setInterval(() => ask(url), INTERVAL_MS);
process.on('message', (message: { phase: string }) => {
  if (message.phase !== 'end') {
    phase = message.phase;
    return;
  }
  process.send?.(summarise(), () => process.exit());
});
