import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { freeBytes, requireFreeSpace, StorageFull } from './free-space.ts';

test('the free space of a folder is the free space of its file system', async () => {
  expect(await freeBytes(tmpdir())).toBeGreaterThan(0);
});

test('a floor above the free space is refused with both figures', async () => {
  await expect(requireFreeSpace([tmpdir()], 1e18)).rejects.toThrow(StorageFull);
  await expect(requireFreeSpace([tmpdir()], 1e18)).rejects.toThrow(/^\d+ MB free, at least 1000000000000 MB needed$/);
  expect(await requireFreeSpace([tmpdir(), '/'], 0)).toBeGreaterThan(0);
});
