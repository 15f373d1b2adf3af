import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContentError } from '@quire/blocks/content-error';
import type { DocumentRecord } from '../../database/tables.ts';
import { FilesystemStore } from '../../storage/filesystem-store.ts';
import { PictureCache } from '../pages/picture-cache.ts';
import { DocumentRenderings, type Rendering } from './renderings.ts';

const TEXT = 'The heron waits. '.repeat(20_000);
const document = {
  id: 'd1',
  workspace_id: 'w1',
  collection_id: 'c1',
  searchable_content_id: 'x1',
} as unknown as DocumentRecord;

let directory: string;
let store: FilesystemStore;
let now: number;
let rendered: string[];
let fail: Error | undefined;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-renderings-'));
  store = await FilesystemStore.open(directory);
  now = Date.now();
  rendered = [];
  fail = undefined;
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function renderings(maxBytes = 1_000_000): DocumentRenderings {
  return new DocumentRenderings({
    store,
    cache: new PictureCache({ store, maxBytes, now: () => now }),
    sandbox: {
      render: async ({ tree, format }) => {
        rendered.push(`${format} of ${gunzipSync(tree).toString()}`);
        await new Promise((resolve) => setImmediate(resolve));
        if (fail !== undefined) throw fail;
        return gzipSync(TEXT);
      },
    },
    now: () => now,
    onNotStored: (error) => {
      throw error;
    },
  });
}

const readTree = async (): Promise<Buffer> => gzipSync('tree');
const read = async (rendering: Rendering, range?: [number, number]): Promise<string> => {
  const opened = await rendering.open(range);
  return text(Buffer.isBuffer(opened) ? Readable.from([opened]) : opened);
};

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('page-pictures/')) keys.push(key);
  return keys;
}

test('concurrent requests make a rendering once, and later ones read it from the store', async () => {
  const service = renderings();
  const get = () => service.get(document, 'markdown', readTree);
  const [first, second] = await Promise.all([get(), get()]);
  const third = await get();
  for (const rendering of [first, second, third]) {
    expect(rendering.sizeBytes).toBe(TEXT.length);
    expect(await read(rendering)).toBe(TEXT);
  }
  expect((await renderings().get(document, 'markdown', readTree)).sizeBytes).toBe(TEXT.length);
  expect(rendered).toEqual(['markdown of tree']);
  expect(await storedKeys()).toEqual([
    'page-pictures/workspaces/w1/collections/c1/documents/d1/x1/rendering-1.markdown.gz',
  ]);
});

test('a range is cut out of the stream, within and across its pieces', async () => {
  const service = renderings();
  for (const rendering of [
    await service.get(document, 'html', readTree),
    await service.get(document, 'html', readTree),
  ]) {
    for (const [start, end] of [
      [0, 0],
      [4, 8],
      [65_530, 65_540],
      [TEXT.length - 3, TEXT.length - 1],
    ] as const) {
      expect(await read(rendering, [start, end])).toBe(TEXT.slice(start, end + 1));
    }
  }
});

test('a cache without room stores nothing, and the rendering is sent', async () => {
  const rendering = await renderings(0).get(document, 'markdown', readTree);
  expect(await read(rendering)).toBe(TEXT);
  expect(await storedKeys()).toEqual([]);
});

test('a rendering that is too large is refused, and not tried again for ten minutes', async () => {
  const service = renderings();
  fail = new ContentError('too_large', 'The rendering is longer than 134217728 characters');
  const refusal = {
    status: 413,
    details: [
      {
        loc: [],
        msg: 'The rendering is longer than 134217728 characters',
        type: 'rendering_too_large',
        ctx: { limit: 134_217_728 },
      },
    ],
  };
  await expect(service.get(document, 'blocks', readTree)).rejects.toMatchObject(refusal);
  fail = undefined;
  await expect(service.get(document, 'blocks', readTree)).rejects.toMatchObject(refusal);
  expect(rendered).toHaveLength(1);
  now += 600_001;
  expect(await read(await service.get(document, 'blocks', readTree))).toBe(TEXT);
});

test('a failure of the machine is passed on and tried again', async () => {
  const service = renderings();
  fail = new Error('no process');
  await expect(service.get(document, 'html', readTree)).rejects.toThrow('no process');
  fail = undefined;
  expect(await read(await service.get(document, 'html', readTree))).toBe(TEXT);
});
