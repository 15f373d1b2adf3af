// large: starts and kills whole services
/**
 * Workers are killed at random while runs are created, and every run ends exactly once. `QUIRE_TEST_CHAOS_RUNS` sets
 * the number of runs.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { runForm, subscribe } from './factories.ts';
import { createTestDatabase } from './postgres.ts';
import { removeDirectory, startService, whenSettled, type ServiceProcess } from './service-process.ts';

const RUNS = Number(process.env['QUIRE_TEST_CHAOS_RUNS'] ?? 16);
const RUNS_PER_KILL = 8;

interface Run {
  id: string;
  status: string;
  error: { type: string } | null;
}

const text = (number: number): string =>
  Array.from({ length: 4_000 }, (_, line) => `Line ${line} of run ${number} holds some words.\n\n`).join('');
const broken = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nnothing more of it\n%%EOF\n';

const KINDS: readonly { files: (number: number) => Record<string, string | Buffer>; status: string }[] = [
  { files: (number) => ({ 'a.md': text(number), 'b.md': text(number) }), status: 'done' },
  { files: (number) => ({ 'a.zip': Buffer.from(zipSync({ 'a.txt': Buffer.from(text(number)) })) }), status: 'done' },
  { files: () => ({ 'broken.pdf': broken }), status: 'failed' },
  { files: (number) => ({ 'broken.pdf': broken, 'a.txt': text(number) }), status: 'done' },
];

async function submit(service: ServiceProcess, url: string, number: number): Promise<Run> {
  const kind = KINDS[number % KINDS.length];
  const response = await fetch(`${service.address}/v1${url}?idempotency_key=${number}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.rootKey}` },
    body: runForm(kind?.files(number) ?? {}, { parserConfig: { formats: ['markdown', 'html', 'blocks'] } }),
  });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { data: Run }).data;
}

test(`${RUNS} runs all end, once each, while their workers are killed`, async () => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'quire-run-chaos-'));
  const env = { QUIRE_DATABASE_URL: database.connectionString, QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests' };
  const start = (role: string) => startService({ dataDir, env: { ...env, QUIRE_ROLE: role } });
  const api = await start('api');
  let worker = await start('worker');
  try {
    const ws = await api.request<{ id: string }>('POST', '/workspaces', { name: 'chaos' });
    const url = `/w/${ws.id}/process`;
    await subscribe((to, json) => api.request('POST', to, json), `/w/${ws.id}`, 'process.completed');
    const runs: Run[] = [];
    for (let first = 0; first < RUNS; first += RUNS_PER_KILL) {
      const numbers = Array.from({ length: Math.min(RUNS_PER_KILL, RUNS - first) }, (_, index) => first + index);
      const killed = sleep(100 + Math.random() * 1_500).then(() => worker.kill());
      runs.push(...(await Promise.all(numbers.map((number) => submit(api, url, number)))));
      await killed;
      worker = await start('worker');
    }
    for (const [number, run] of runs.entries()) {
      const seen = await whenSettled<Run>(api, `${url}/${run.id}`);
      expect([number, seen.status]).toEqual([number, KINDS[number % KINDS.length]?.status]);
    }
    const { rows } = await database.pool.query(
      `select count(*)::int as events, count(distinct data->>'runId')::int as runs
       from events where type = 'process.completed'`,
    );
    expect(rows).toEqual([{ events: RUNS, runs: RUNS }]);
  } finally {
    await worker.stop();
    await api.stop();
    await database.drop();
    removeDirectory(dataDir);
  }
}, 900_000);
