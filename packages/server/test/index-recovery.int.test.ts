// large: starts and kills whole services
/** The search index is derived data: it may be lost at any time, and a re-index is built while the old one serves. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from './server.ts';
import { removeDirectory, startService } from './service-process.ts';

interface Hits {
  hits: { documentId: string; text: string }[];
  warnings: { type: string }[];
}
interface Collection {
  id: string;
  chunkCount: number;
  chunking: { maxTokens: number };
  reindex: { status: string; progress: number } | null;
}

const DOCUMENTS = 30;
/** Returns a word without digits for the document, because a search matches parts of codes with digits too. */
const word = (index: number): string => `zq${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}x`;
let service: TestService;
let ws: string;

beforeAll(async () => {
  service = await startTestService();
  ws = `/v1/w/${(await service.call<{ id: string }>('POST', '/v1/workspaces', { json: { name: 'w' } })).data.id}`;
});
afterAll(() => service.stop());

/** Creates a collection of documents with eight paragraphs each; every paragraph has the word of its document. */
async function filledCollection(): Promise<string> {
  const { data } = await service.call<Collection>('POST', `${ws}/col`, { json: { name: 'c' } });
  const col = `${ws}/col/${data.id}`;
  await Promise.all(
    Array.from({ length: DOCUMENTS }, async (_, index) => {
      const content = Array.from({ length: 8 }, () => `${word(index)} ${'and so on '.repeat(30)}.`).join('\n\n');
      const json = { name: `${index}.txt`, content, contentType: 'text/plain' };
      const answer = await service.call<{ status: string }>('POST', `${col}/docs/raw?wait=60`, { json });
      expect(answer.data.status).toBe('ready');
    }),
  );
  return col;
}

const search = async (col: string, query: string): Promise<Hits> =>
  (await service.call<Hits>('POST', `${col}/search`, { json: { query, mode: 'sparse', limit: 100 } })).data;

test('a search is whole after all files of the index were lost and after a restart, and files of an earlier version go', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quire-recovery-'));
  let process = await startService({ dataDir });
  const { rootKey } = process;
  try {
    const { id: workspace } = await process.request<{ id: string }>('POST', '/workspaces', { name: 'w' });
    const { id } = await process.request<Collection>('POST', `/w/${workspace}/col`, { name: 'c' });
    const col = `/w/${workspace}/col/${id}`;
    for (let index = 0; index < 5; index += 1) {
      const json = { name: `${index}.txt`, content: `${word(index)} and so on`, contentType: 'text/plain' };
      await process.request('POST', `${col}/docs/raw?wait=60`, json);
    }
    const search = () => process.request<Hits>('POST', `${col}/search`, { query: word(3), mode: 'sparse' });
    const before = await search();
    expect(before.hits).toMatchObject([{ text: `${word(3)} and so on` }]);
    await process.stop();
    await rm(path.join(dataDir, 'search-copies'), { recursive: true, force: true });
    await rm(path.join(dataDir, 'searched-tables.json'));
    const former = path.join(dataDir, 'index', `c_${id.replaceAll('-', '')}_1.lance`);
    await mkdir(former, { recursive: true });
    await writeFile(path.join(former, 'data'), 'words');
    process = await startService({ dataDir, rootKey });
    expect(await search()).toMatchObject({ hits: before.hits, warnings: [] });
    await until(
      () => readdir(dataDir),
      (names) => !names.includes('index'),
    );
  } finally {
    await process.stop();
    removeDirectory(dataDir);
  }
});

async function until<T>(look: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (done(value)) return value;
    await sleep(50);
  }
}

test('a re-index with another chunking serves every query completely until and after the cut-over', async () => {
  const col = await filledCollection();
  const { data: before } = await service.call<Collection>('GET', col);
  const started = await service.call<Collection>('PATCH', col, { json: { chunking: { maxTokens: 64 } } });
  expect(started.data.reindex).toMatchObject({ status: 'running' });
  let queries = 0;
  let incomplete = 0;
  const load = async (): Promise<void> => {
    for (let index = 0; ; index = (index + 1) % DOCUMENTS) {
      const { hits } = await search(col, word(index));
      queries += 1;
      if (new Set(hits.map((hit) => hit.documentId)).size !== 1) incomplete += 1;
      const { data } = await service.call<Collection>('GET', col);
      if (data.reindex?.status === 'done') return;
      if (data.reindex?.status !== 'running') throw new Error(`the re-index is ${data.reindex?.status}`);
    }
  };
  await Promise.all([load(), load()]);
  expect(queries).toBeGreaterThan(0);
  expect(incomplete).toBe(0);
  const { data: after } = await service.call<Collection>('GET', col);
  expect(after.chunkCount).toBeGreaterThan(before.chunkCount);
  for (let index = 0; index < DOCUMENTS; index++) {
    const { hits } = await search(col, word(index));
    expect(new Set(hits.map((hit) => hit.documentId)).size).toBe(1);
  }
});

test('a re-index can be cancelled while it waits or runs, once', async () => {
  const api = await startTestService({ QUIRE_ROLE: 'api' });
  try {
    const { data } = await api.call<{ id: string }>('POST', '/v1/workspaces', { json: { name: 'w' } });
    const collection = await api.call<Collection>('POST', `/v1/w/${data.id}/col`, { json: { name: 'c' } });
    const reindex = `/v1/w/${data.id}/col/${collection.data.id}/reindex`;
    expect((await api.call<Collection>('POST', reindex)).data.reindex).toEqual({ status: 'running', progress: 0 });
    expect((await api.call<Collection>('DELETE', reindex)).data.reindex?.status).toBe('cancelled');
    expect(await api.call('DELETE', reindex)).toMatchObject({ status: 409, detail: [{ type: 'conflict' }] });
  } finally {
    await api.stop();
  }
});
