import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeObjectStore } from './conformance.ts';
import { FilesystemStore } from './filesystem-store.ts';

describeObjectStore('FilesystemStore', (directory) => FilesystemStore.open(directory));

test('opening removes writes that were interrupted more than an hour ago, and no others', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-store-'));
  const temporary = path.join(directory, '.tmp');
  await mkdir(temporary);
  for (const name of ['old', 'new']) await writeFile(path.join(temporary, name), 'x');
  const longAgo = new Date(Date.now() - 3_700_000);
  await utimes(path.join(temporary, 'old'), longAgo, longAgo);
  await FilesystemStore.open(directory);
  expect(await readdir(temporary)).toEqual(['new']);
  await rm(directory, { recursive: true });
});
