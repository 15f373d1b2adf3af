import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brokenStream, describeObjectStore } from './conformance.ts';
import { FilesystemStore } from './filesystem-store.ts';

const newFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'quire-objects-'));

describeObjectStore('filesystem store', async () => {
  const directory = await newFolder();
  return {
    store: await FilesystemStore.open(directory),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
});

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('opening removes temporary files older than an hour and leaves objects and younger ones', async () => {
  await mkdir(path.join(directory, 'temporary'), { recursive: true });
  const now = Date.parse('2026-01-01T12:00:00Z');
  const ages = { old: 3_600_001, young: 3_599_999 };
  for (const [name, age] of Object.entries(ages)) {
    const file = path.join(directory, 'temporary', name);
    await writeFile(file, 'x');
    await utimes(file, (now - age) / 1000, (now - age) / 1000);
  }
  const store = await FilesystemStore.open(directory, now);
  expect(await readdir(path.join(directory, 'temporary'))).toEqual(['young']);
  await store.close();
});

test('nothing temporary is left of failed and finished writes, and no empty folder of deleted objects', async () => {
  const store = await FilesystemStore.open(directory);
  await store.put('a/b/c', Buffer.from('x'));
  await expect(store.put('a/b/d', brokenStream('broke'))).rejects.toThrow('broke');
  await store.delete('a/b/c');
  expect(await readdir(path.join(directory, 'temporary'))).toEqual([]);
  expect(await readdir(path.join(directory, 'objects'))).toEqual([]);
});

test('a prefix is deleted while files are written below it', async () => {
  const store = await FilesystemStore.open(directory);
  const stopped = new AbortController();
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let at = 0; !stopped.signal.aborted; at += 1) {
      await store.put(`a/b/${writer}/${at % 50}/c`, Buffer.from('x'));
    }
  });
  for (let round = 0; round < 30; round += 1) await store.deletePrefix('a/b/');
  stopped.abort();
  await Promise.all(writers);
  await store.deletePrefix('a/b/');
  expect(await readdir(path.join(directory, 'objects'))).toEqual([]);
});

test('a key below an existing object is refused', async () => {
  const store = await FilesystemStore.open(directory);
  await store.put('a/b', Buffer.from('x'));
  await expect(store.put('a/b/c', Buffer.from('y'))).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(await readdir(path.join(directory, 'temporary'))).toEqual([]);
});
