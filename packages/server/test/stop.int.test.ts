/** A signal stops the service within 15 s in any state, with exit code 0, and leaves no process and no file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeTinyModel } from '@quire/models/local/testing/tiny-model';
import { familyOf, removeDirectory, startService, type ServiceProcess } from './service-process.ts';

const STOP_LIMIT_MS = 15_000;
let folder: string;
let temporary: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'quire-stop-'));
  temporary = mkdtempSync(path.join(tmpdir(), 'quire-stop-tmp-'));
  const models = path.join(folder, 'models');
  await writeTinyModel(path.join(models, 'tiny'));
  env = { TMPDIR: temporary, QUIRE_MODEL_DIR: models, QUIRE_LOG_LEVEL: 'fatal' };
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  removeDirectory(folder);
  removeDirectory(temporary);
});

const services: ServiceProcess[] = [];

async function start(): Promise<ServiceProcess> {
  const service = await startService({ dataDir: path.join(folder, 'data'), env });
  services.push(service);
  return service;
}

const isRunning = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

/**
 * Starts work of every kind, embedded with a transformer in native threads; requests that the stop cuts off may fail.
 */
async function beginWork(service: ServiceProcess): Promise<void> {
  const workspace = await service.request<{ id: string }>('POST', '/workspaces', { name: 'stop' });
  const base = `/w/${workspace.id}`;
  const embedder = { name: 'tiny', config: { provider: 'local', model: 'tiny' } };
  const { id: embedderId } = await service.request<{ id: string }>('POST', `${base}/config/embedders`, embedder);
  const collection = await service.request<{ id: string }>('POST', `${base}/col`, { name: 'stop', embedderId });
  const words = ['wing', 'flow', 'air', 'the', 'of'];
  for (let index = 0; index < 8; index++) {
    const content = Array.from({ length: 30_000 }, (_, place) => words[(place * 7 + index) % 5]).join(' ');
    const body = { name: `${index}.md`, contentType: 'text/markdown', content };
    await service.request('POST', `${base}/col/${collection.id}/docs/raw`, body);
  }
}

/** Returns the descendants of the service, including PostgreSQL. */
const childrenOf = (service: ServiceProcess): number[] => familyOf(service.pid).filter((pid) => pid !== service.pid);

test.each([100, 2_000])('SIGTERM %s ms into the work of ingestion stops it cleanly', async (afterMs) => {
  const service = await start();
  await beginWork(service);
  await delay(afterMs);
  const children = childrenOf(service);
  expect(children.length).toBeGreaterThan(0);
  const startedAt = performance.now();
  process.kill(service.pid, 'SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(STOP_LIMIT_MS);
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(path.join(folder, 'data', 'spool'))).toEqual([]);
  expect(readdirSync(path.join(folder, 'data', 'postgres'))).not.toContain('postmaster.pid');
});

test.each([50, 1_000, 2_500])('SIGTERM %s ms into a start ends it cleanly', async (afterMs) => {
  const script = `import(${JSON.stringify(new URL('../dist/main.js', import.meta.url).href)}).then(({ main }) => main('serve'))`;
  const child = spawn(process.execPath, ['-e', script], {
    env: {
      ...process.env,
      ...env,
      QUIRE_PORT: '0',
      QUIRE_DATA_DIR: path.join(folder, 'data'),
      QUIRE_MODEL_DOWNLOAD: 'false',
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await delay(afterMs);
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  // A signal before the handler is installed ends the process directly.
  expect(signal === null ? code : signal).toBe(signal === null ? 0 : 'SIGTERM');
  expect(readdirSync(temporary)).toEqual([]);
  const postmaster = path.join(folder, 'data', 'postgres', 'postmaster.pid');
  expect(() => readFileSync(postmaster)).toThrow('ENOENT');
});

test('a second signal ends the process at once', async () => {
  const service = await start();
  await beginWork(service);
  process.kill(service.pid, 'SIGTERM');
  await delay(300);
  process.kill(service.pid, 'SIGTERM');
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  const next = await start();
  await next.stop();
});

test('a killed service leaves no child but PostgreSQL, which the next start takes over and stops', async () => {
  const service = await start();
  await beginWork(service);
  await delay(500);
  const file = path.join(folder, 'data', 'postgres', 'postmaster.pid');
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const backends = new Set(familyOf(postmaster));
  const children = childrenOf(service).filter((pid) => !backends.has(pid));
  process.kill(service.pid, 'SIGKILL');
  await service.ended;
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
  const next = await start();
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(String(postmaster));
  await next.stop();
  expect(isRunning(postmaster)).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});
