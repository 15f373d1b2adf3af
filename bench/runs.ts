/** Measures runs of a one-page text over HTTP against a running service: latency and throughput. */
import { cpuMs, type ServiceProcess } from '../packages/server/test/service-process.ts';
import type { Figures } from './measures.ts';
import { inParallel, percentile, round } from './statistics.ts';
import { TextSource } from './text.ts';

const CLIENTS = 8;
const WARMING = 20;
const SINGLE = 50;

/** Sends runs sequentially to an idle service, then from 8 clients that each wait for the end of their run. */
export async function measureRuns(service: ServiceProcess, ws: string, runs: number): Promise<Figures> {
  const source = new TextSource(3);
  const run = (): Promise<void> => processText(service, ws, source.text(300));
  for (let index = 0; index < WARMING; index += 1) await run();
  const samples: number[] = [];
  for (let index = 0; index < SINGLE; index += 1) {
    const startedAt = performance.now();
    await run();
    samples.push(performance.now() - startedAt);
  }
  const cpuBefore = cpuMs(service.pid);
  const startedAt = performance.now();
  await inParallel(Array.from({ length: runs }).entries(), CLIENTS, run);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuAfter = cpuMs(service.pid);
  return {
    'one run, wait=10, ms p50': round(percentile(samples, 0.5)),
    'one run, wait=10, ms p95': round(percentile(samples, 0.95)),
    'runs per s, 8 clients': round(runs / seconds),
    'CPU ms per run, service process': round((cpuAfter.own - cpuBefore.own) / runs, 2),
    'CPU ms per run, all processes': round((cpuAfter.all - cpuBefore.all) / runs, 2),
  };
}

async function processText(service: ServiceProcess, ws: string, content: string): Promise<void> {
  const form = new FormData();
  form.append('files', new Blob([content]), 'page.txt');
  const response = await fetch(`${service.address}/v1/w/${ws}/process?wait=10`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.rootKey}` },
    body: form,
  });
  const { data } = (await response.json()) as { data: { status: string } };
  if (response.status !== 200 || data.status !== 'done') throw new Error(`a run ended as ${data.status}`);
}
