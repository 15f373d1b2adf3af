import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { StorageFull } from '@quire/shared/free-space';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { FilesystemStore } from './filesystem-store.ts';
import { withFreeSpace } from './with-free-space.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'quire-free-space-'));
const store = await FilesystemStore.open(folder);
let freeBytes: number;
const requireRoom = async (bytes: number): Promise<void> => {
  if (freeBytes < bytes) throw new StorageFull('no space');
};

beforeEach(() => {
  freeBytes = 4;
});
afterAll(() => rm(folder, { recursive: true }));

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list('a/')) found.push(key);
  return found;
}

test('a write without room is refused and leaves nothing; what exists is read and deleted', async () => {
  const local = withFreeSpace(store, requireRoom, false);
  await local.put('a/1', Buffer.from('four'));
  await expect(local.put('a/2', Buffer.from('fives'))).rejects.toThrow(StorageFull);
  freeBytes = -1;
  const file = path.join(folder, 'spooled');
  await writeFile(file, 'x');
  await expect(local.putFile('a/3', file)).rejects.toThrow(StorageFull);
  expect(await keys()).toEqual(['a/1']);
  expect(await text((await local.get('a/1'))!)).toBe('four');
  expect(await local.checkout('a/1')).toMatchObject({ path: path.join(folder, 'objects', 'a', '1') });
  await local.deletePrefix('a/');
  expect(await keys()).toEqual([]);
});

test('of a remote store only local copies need room', async () => {
  const remote = withFreeSpace(store, requireRoom, true);
  freeBytes = -1;
  await remote.put('b/1', Buffer.from('x'));
  await expect(remote.checkout('b/1')).rejects.toThrow(StorageFull);
});
