// large: starts whole services
/** The search engine in memory: nothing of it need survive a restart, and processes share nothing but PostgreSQL. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestDatabase } from './postgres.ts';
import { removeDirectory, startService, type ServiceProcess } from './service-process.ts';

interface Hits {
  hits: { documentId: string; text: string }[];
  warnings: unknown[];
}

const folder = () => mkdtempSync(path.join(tmpdir(), 'quire-memory-'));

async function createCollection(process: ServiceProcess): Promise<string> {
  const { id: workspace } = await process.request<{ id: string }>('POST', '/workspaces', { name: 'w' });
  const { id } = await process.request<{ id: string }>('POST', `/w/${workspace}/col`, { name: 'c' });
  return `/w/${workspace}/col/${id}`;
}

const upload = (process: ServiceProcess, col: string, content: string) =>
  process.request<{ id: string; status: string }>('POST', `${col}/docs/raw?wait=60`, {
    name: 'a.txt',
    content,
    contentType: 'text/plain',
  });
const search = (process: ServiceProcess, col: string, query: string) =>
  process.request<Hits>('POST', `${col}/search`, { query });

test('finds documents as soon as they are ready, not after their deletion, and after a restart without its files', async () => {
  const dataDir = folder();
  let service = await startService({ dataDir });
  const { rootKey } = service;
  try {
    const col = await createCollection(service);
    const first = await upload(service, col, 'turbulent wing');
    expect((await search(service, col, 'turbulent')).hits).toMatchObject([{ documentId: first.id }]);
    const second = await upload(service, col, 'laminar rotor');
    expect((await search(service, col, 'laminar')).hits[0]).toMatchObject({ documentId: second.id });
    await service.request('DELETE', `${col}/docs/${first.id}`);
    expect((await search(service, col, 'turbulent')).hits.map((hit) => hit.documentId)).toEqual([second.id]);
    const before = await search(service, col, 'laminar');
    await service.stop();
    for (const name of ['search-copies', 'searched-tables.json', 'index']) {
      await rm(path.join(dataDir, name), { recursive: true, force: true });
    }
    service = await startService({ dataDir, rootKey });
    expect(await search(service, col, 'laminar')).toMatchObject({ hits: before.hits, warnings: [] });
  } finally {
    await service.stop();
    removeDirectory(dataDir);
  }
});

test('an api process finds what a worker with another data folder has indexed', async () => {
  const database = await createTestDatabase();
  const folders = [folder(), folder(), folder()] as const;
  const [storage, apiDir, workerDir] = folders;
  const env = {
    QUIRE_DATABASE_URL: database.connectionString,
    QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests',
    QUIRE_STORAGE_URL: storage,
  };
  const api = await startService({ dataDir: apiDir, env: { ...env, QUIRE_ROLE: 'api' } });
  const worker = await startService({ dataDir: workerDir, env: { ...env, QUIRE_ROLE: 'worker' } });
  try {
    const col = await createCollection(api);
    for (const word of ['wing', 'rotor']) {
      const { id } = await upload(api, col, `${word} and more`);
      // The table is loaded by the first search, and follows the feed for the second document.
      for (;;) {
        const { hits } = await search(api, col, word);
        if (hits[0]?.documentId === id) break;
        await sleep(50);
      }
    }
  } finally {
    await Promise.all([worker.stop(), api.stop()]);
    await database.drop();
    for (const each of folders) removeDirectory(each);
  }
});
