// large: starts and kills whole services
/**
 * Acknowledged work survives the death of any process. `QUIRE_TEST_CHAOS_ROUNDS` sets how often the service is killed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { removeDirectory, startService, whenSettled, type ServiceProcess } from './service-process.ts';

const ROUNDS = Number(process.env['QUIRE_TEST_CHAOS_ROUNDS'] ?? 3);
const DOCUMENTS_PER_ROUND = 20;

interface DocumentAnswer {
  id: string;
  status: string;
  error: unknown;
  chunks?: { id: string; ordinal: number; text: string }[];
}

/** Returns a word without digits for the number, because a search matches parts of codes with digits too. */
const markerOf = (number: number): string =>
  `zq${Array.from(String(number), (digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`;

/** Returns filler text that differs in each part, as a search returns only one of several equal chunks. */
const filler = (part: number): string =>
  Array.from({ length: 150 }, (_, index) => markerOf(1_000_000 + part * 1000 + index)).join(' ');

const upload = (service: ServiceProcess, col: string, name: string, marker: string) =>
  service.request<DocumentAnswer>('POST', `${col}/docs/raw`, {
    name,
    contentType: 'text/markdown',
    content: Array.from({ length: 30 }, (_, part) => `# Part ${part}\n\n${marker} ${filler(part)}`).join('\n\n'),
  });

/**
 * Uploads until the service dies, some time after the first acknowledgement; returns the acknowledged documents.
 */
async function uploadUntilKilled(service: ServiceProcess, col: string, round: number): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  let next = 0;
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const lane = async (): Promise<void> => {
    while (next < DOCUMENTS_PER_ROUND) {
      const marker = markerOf(round * 1000 + next);
      const name = `${round}-${next++}.md`;
      // A request that the kill cut off was not acknowledged, so it has no guarantee.
      const record = await upload(service, col, name, marker).catch(() => undefined);
      if (record === undefined) return;
      acknowledged.set(record.id, marker);
      tell();
    }
  };
  const killer = told.then(() => sleep(Math.random() * 900)).then(() => killAll(service, round % 3 === 2));
  await Promise.all([lane(), lane(), lane(), lane(), killer]);
  return acknowledged;
}

async function killAll(service: ServiceProcess, postgresToo: boolean): Promise<void> {
  if (postgresToo) {
    const file = path.join(service.dataDir, 'postgres', 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
  }
  await service.kill();
}

test(`killed ${ROUNDS} times at random points, every acknowledged document ends ready with each chunk once`, async () => {
  let service = await startService();
  const { dataDir, rootKey } = service;
  try {
    const ws = await service.request<{ id: string }>('POST', '/workspaces', { name: 'chaos' });
    const { id } = await service.request<{ id: string }>('POST', `/w/${ws.id}/col`, { name: 'chaos' });
    const col = `/w/${ws.id}/col/${id}`;
    const acknowledged = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [document, marker] of await uploadUntilKilled(service, col, round)) acknowledged.set(document, marker);
      service = await startService({ dataDir, rootKey });
    }
    expect(acknowledged.size).toBeGreaterThan(0);
    for (const [document, marker] of acknowledged) {
      const found = await whenSettled<DocumentAnswer>(service, `${col}/docs/${document}`, 'chunks');
      expect([found.status, found.error]).toEqual(['ready', null]);
      const chunks = found.chunks ?? [];
      expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(chunks.length);
      expect(chunks.map((chunk) => chunk.ordinal)).toEqual(chunks.map((_, index) => index));
      const { hits } = await service.request<{ hits: { documentId: string; chunkId: string }[] }>(
        'POST',
        `${col}/search`,
        {
          query: marker,
          mode: 'sparse',
          limit: 100,
        },
      );
      expect(new Set(hits.map((hit) => hit.documentId))).toEqual(new Set([document]));
      expect(hits.map((hit) => hit.chunkId).toSorted()).toEqual(chunks.map((chunk) => chunk.id).toSorted());
    }
  } finally {
    await service.stop();
    removeDirectory(dataDir);
  }
}, 900_000);

test('20 clients delete and search 1,000 times: what a delete hid is never found', async () => {
  const service = await startService();
  try {
    const ws = await service.request<{ id: string }>('POST', '/workspaces', { name: 'deletes' });
    const { id } = await service.request<{ id: string }>('POST', `/w/${ws.id}/col`, { name: 'deletes' });
    const col = `/w/${ws.id}/col/${id}`;
    let next = 0;
    let found = 0;
    const client = async (): Promise<void> => {
      while (next < 1000) {
        const marker = markerOf(next++);
        const record = await service.request<DocumentAnswer>('POST', `${col}/docs/raw?wait=60`, {
          name: `${marker}.txt`,
          content: `${marker} is here`,
          contentType: 'text/plain',
        });
        expect(record.status).toBe('ready');
        const find = async (): Promise<number> => {
          const search = { query: marker, limit: 50 };
          const { hits } = await service.request<{ hits: { documentId: string }[] }>('POST', `${col}/search`, search);
          return hits.filter((hit) => hit.documentId === record.id).length;
        };
        expect(await find()).toBe(1);
        await service.request('DELETE', `${col}/docs/${record.id}`);
        found += await find();
      }
    };
    await Promise.all(Array.from({ length: 20 }, client));
    expect(found).toBe(0);
  } finally {
    await service.stop();
    removeDirectory(service.dataDir);
  }
}, 600_000);
