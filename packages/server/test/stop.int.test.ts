// large: starts and stops whole services
/** A signal stops the service within 15 s in any state, with exit code 0, and leaves no process and no file. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeTinyModel } from '@quire/models/local/testing/tiny-model';
import { spawnWithParent } from '../../../scripts/child-process/spawn-with-parent.mjs';
import { startChatProvider, type ChatProvider } from './chat-provider.ts';
import {
  familyOf,
  isRunning,
  removeDirectory,
  startService,
  whenSettled,
  type ServiceProcess,
} from './service-process.ts';

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

interface Place {
  workspace: string;
  collection: string;
  embedderId: string;
}

async function createPlace(service: ServiceProcess): Promise<Place> {
  const { id } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'stop' });
  const workspace = `/w/${id}`;
  const embedder = { name: 'tiny', config: { provider: 'local', model: 'tiny' } };
  const { id: embedderId } = await service.request<{ id: string }>('POST', `${workspace}/config/embedders`, embedder);
  const collection = await service.request<{ id: string }>('POST', `${workspace}/col`, { name: 'stop', embedderId });
  return { workspace, collection: `${workspace}/col/${collection.id}`, embedderId };
}

const WORDS = ['wing', 'flow', 'air', 'the', 'of'];

const textOf = (words: number, seed: number): string =>
  Array.from({ length: words }, (_, place) => WORDS[(place * 7 + seed) % 5]).join(' ');

/** Uploads texts that are embedded with a transformer in native threads. Returns the paths of the documents. */
async function upload(service: ServiceProcess, { collection }: Place, count = 8, words = 30_000): Promise<string[]> {
  const paths: string[] = [];
  for (let index = 0; index < count; index++) {
    const body = { name: `${index}.md`, contentType: 'text/markdown', content: textOf(words, index) };
    const { id } = await service.request<{ id: string }>('POST', `${collection}/docs/raw`, body);
    paths.push(`${collection}/docs/${id}`);
  }
  return paths;
}

async function beginWork(service: ServiceProcess): Promise<void> {
  await upload(service, await createPlace(service));
}

/** Returns the descendants of the service, including PostgreSQL. */
const childrenOf = (service: ServiceProcess): number[] => familyOf(service.pid).filter((pid) => pid !== service.pid);

/** Sends SIGTERM and expects the end within 15 s with exit code 0, without a process or file that remains. */
async function expectCleanStop(service: ServiceProcess): Promise<void> {
  const children = childrenOf(service);
  expect(children.length).toBeGreaterThan(0);
  const startedAt = performance.now();
  process.kill(service.pid, 'SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(STOP_LIMIT_MS);
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
  const data = path.join(folder, 'data');
  expect(
    [temporary, path.join(data, 'spool'), path.join(data, 'sandbox')].flatMap((each) => readdirSync(each)),
  ).toEqual([]);
  expect(readdirSync(path.join(data, 'postgres'))).not.toContain('postmaster.pid');
}

test.each([100, 2_000])('SIGTERM %s ms into the work of ingestion stops it cleanly', async (afterMs) => {
  const service = await start();
  await beginWork(service);
  await delay(afterMs);
  await expectCleanStop(service);
});

/** Posts a question and resolves when the first text of the answer has arrived; `rest` ends with the stream. */
async function beginAnswer(service: ServiceProcess, place: Place, provider: ChatProvider) {
  const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl };
  const model = { name: 'M', config };
  const { id: modelId } = await service.request<{ id: string }>('POST', `${place.workspace}/config/models`, model);
  const body = { collection_id: place.collection.split('/').at(-1), modelId };
  const { id } = await service.request<{ id: string }>('POST', `${place.workspace}/chat`, body);
  const chat = `${place.workspace}/chat/${id}`;
  const response = await fetch(`${service.address}/v1${chat}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.rootKey}` },
    body: JSON.stringify({ query: 'Where does the air flow?' }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let lines = '';
  const readUntil = async (isEnough: () => boolean): Promise<string> => {
    while (!isEnough()) {
      const piece = await reader?.read();
      if (piece?.value === undefined) return lines;
      lines += piece.value;
    }
    return lines;
  };
  expect(await readUntil(() => lines.includes('flows'))).toContain('flows');
  return { chat, rest: readUntil(() => false) };
}

test('SIGTERM in the middle of a streamed answer ends the stream, and the answer is stored', async () => {
  // The provider never ends its answer.
  const provider = await startChatProvider((_request, call) =>
    call === 0 ? [{ search: 'air' }] : ['It flows over the wing ', { wait: new Promise(() => undefined) }, 'today.'],
  );
  env = { ...env, QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' };
  try {
    const service = await start();
    const place = await createPlace(service);
    for (const url of await upload(service, place, 1, 40)) await whenSettled(service, url);
    const { chat, rest } = await beginAnswer(service, place, provider);
    await expectCleanStop(service);
    const [last] = (await rest).trim().split('\n').slice(-1);
    expect(last).toContain('"/messages/1/status"');
    const next = await start();
    const { items } = await next.request<{ items: { status: string; parts: unknown[] }[] }>('GET', `${chat}/history`);
    expect(items[1]?.status).not.toBe('streaming');
    expect(JSON.stringify(items[1]?.parts)).toContain('flows over');
    expect(last).toContain(JSON.stringify(items[1]?.status));
  } finally {
    await provider.close();
  }
});

test('SIGTERM during a run of several files stops cleanly, and the next start finishes the run', async () => {
  const service = await start();
  const place = await createPlace(service);
  const form = new FormData();
  for (let index = 0; index < 6; index++) form.append('files', new File([textOf(200_000, index)], `${index}.md`));
  form.append('summaryConfig', JSON.stringify({ length: 'long' }));
  const response = await fetch(`${service.address}/v1${place.workspace}/process`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.rootKey}` },
    body: form,
  });
  const { data } = (await response.json()) as { data: { id: string } };
  const url = `${place.workspace}/process/${data.id}`;
  const statusOf = async (): Promise<string> => (await service.request<{ status: string }>('GET', url)).status;
  await expect.poll(statusOf, { interval: 5 }).toBe('running');
  await expectCleanStop(service);
  const next = await start();
  const run = await whenSettled<{ status: string; outcome: { files: unknown[] } }>(next, url);
  expect([run.status, run.outcome.files.length]).toEqual(['done', 6]);
});

test('SIGTERM during a re-index stops cleanly, and the next start finishes the re-index', async () => {
  const service = await start();
  const place = await createPlace(service);
  const documents = await upload(service, place, 4, 3_000);
  for (const url of documents) await whenSettled(service, url);
  interface Indexed {
    reindex: { status: string };
  }
  const stateOf = async (from: ServiceProcess): Promise<string> =>
    (await from.request<Indexed>('GET', place.collection)).reindex.status;
  await service.request('POST', `${place.collection}/reindex`, {});
  expect(await stateOf(service)).toBe('running');
  await expectCleanStop(service);
  const next = await start();
  await expect.poll(() => stateOf(next), { timeout: 60_000 }).toBe('done');
  const search = { query: 'wing', mode: 'hybrid', limit: 20 };
  const { hits } = await next.request<{ hits: { documentId: string }[] }>('POST', `${place.collection}/search`, search);
  expect(new Set(hits.map(({ documentId }) => documentId)).size).toBe(4);
});

test.each([50, 1_000, 2_500])('SIGTERM %s ms into a start ends it cleanly', async (afterMs) => {
  const script = `import(${JSON.stringify(new URL('../dist/main.js', import.meta.url).href)}).then(({ main }) => main('serve'))`;
  const child = spawnWithParent(process.execPath, ['-e', script], {
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

test('the second SIGINT that npm sends on Ctrl-C belongs to the first, and PostgreSQL is stopped', async () => {
  const service = await start();
  process.kill(service.pid, 'SIGINT');
  await delay(20);
  process.kill(service.pid, 'SIGINT');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(() => readFileSync(path.join(folder, 'data', 'postgres', 'postmaster.pid'))).toThrow('ENOENT');
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
