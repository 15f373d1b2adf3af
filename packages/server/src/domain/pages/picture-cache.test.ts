import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { picturesOf, withPagePictures } from '../../storage/derived-pictures.ts';
import { FilesystemStore } from '../../storage/filesystem-store.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { PictureCache } from './picture-cache.ts';

const HOUR_MS = 3_600_000;

let folder: string;
let store: ObjectStore;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quire-pictures-'));
  store = withPagePictures(await FilesystemStore.open(folder));
  now = Date.now();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const key = (name: string): string => picturesOf(`a/${name}/`) + '1-400.webp';
const picture = Buffer.alloc(300, 1);

function openCache(maxBytes = 1000): PictureCache {
  return new PictureCache({ store, maxBytes, now: () => now });
}

async function stored(): Promise<string[]> {
  const names: string[] = [];
  for await (const object of store.list('page-pictures/')) names.push(object.key.split('/')[2] ?? '');
  return names.toSorted();
}

test('the least recently used pictures are deleted when the limit is exceeded', async () => {
  const cache = openCache();
  for (const name of ['one', 'two', 'three']) {
    await cache.put(key(name), picture);
    now += 1;
  }
  expect(await cache.get(key('one'))).toEqual(picture);
  now += 1;
  await cache.put(key('four'), picture);
  expect(await stored()).toEqual(['four', 'one', 'three']);
  expect(await cache.get(key('two'))).toBeUndefined();
  expect(cache.totalBytes).toBe(900);
});

test('a new process counts the pictures that are stored, and their use within the last hours', async () => {
  const before = openCache();
  await before.put(key('one'), picture);
  await before.put(key('two'), picture);
  now += 2 * HOUR_MS;
  // Rewrites the object, so that other processes see that it is used.
  await before.get(key('one'));
  const after = openCache();
  await after.put(key('three'), picture);
  now += 1;
  await after.put(key('four'), picture);
  expect(await stored()).toHaveLength(3);
});

test('a picture above the limit is not stored, and a limit of 0 stores none', async () => {
  await openCache(299).put(key('one'), picture);
  await openCache(0).put(key('two'), picture);
  expect(await stored()).toEqual([]);
});

test('pictures are deleted with the file that they were drawn from', async () => {
  const cache = openCache();
  await store.put('a/one/original', Buffer.from('file'));
  await cache.put(key('one'), picture);
  await cache.put(key('two'), picture);
  await store.deletePrefix('a/one/');
  expect(await stored()).toEqual(['two']);
  expect(await cache.get(key('one'))).toBeUndefined();
});
