import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CachedObject, ObjectCache } from './object-cache.ts';

let folder: string;
let cache: ObjectCache;
let loads: string[];
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'quire-cache-')), 'objects');
  cache = await ObjectCache.open(folder, 100);
  loads = [];
});
afterEach(async () => {
  await cache.close();
  await rm(path.dirname(folder), { recursive: true, force: true });
});

const object = (id: string, bytes: number): CachedObject => ({
  id,
  bytes,
  load: async (file) => {
    loads.push(id);
    await writeFile(file, id.padEnd(bytes, '.'));
  },
});
/** An object whose download waits until it is finished or aborted by hand. */
function waiting(id: string): { object: CachedObject; finish: () => void; isAborted: () => boolean } {
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  let signal: AbortSignal | undefined;
  const load: CachedObject['load'] = async (file, aborted) => {
    loads.push(id);
    signal = aborted;
    await Promise.race([
      done,
      new Promise((_resolve, reject) => aborted.addEventListener('abort', () => reject(aborted.reason as Error))),
    ]);
    await writeFile(file, id);
  };
  return { object: { id, bytes: 10, load }, finish, isAborted: () => signal?.aborted === true };
}

test('keeps copies up to the limit, and deletes the least recently used ones without a reader', async () => {
  for (const id of ['a', 'b', 'a', 'c']) await (await cache.checkout(object(id, 40))).release();
  expect([loads, cache.totalBytes]).toEqual([['a', 'b', 'c'], 80]);
  const kept = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
  expect(kept.map((content) => content[0]).toSorted()).toEqual(['a', 'c']);
});

test('never deletes a copy with a reader, also above the limit, and deletes it once it is released', async () => {
  const [first, second] = [await cache.checkout(object('a', 80)), await cache.checkout(object('b', 80))];
  expect(await readFile(first.path, 'utf8')).toBe('a'.padEnd(80, '.'));
  await first.release();
  await first.release();
  expect(await readdir(folder)).toEqual([path.basename(second.path)]);
  expect(cache.totalBytes).toBe(80);
});

test('downloads once for concurrent readers; one that gives up does not end it for the others', async () => {
  const slow = waiting('slow');
  const abort = new AbortController();
  const readers = [cache.checkout(slow.object, abort.signal), cache.checkout(slow.object)];
  abort.abort(new Error('gave up'));
  await expect(readers[0]).rejects.toThrow('gave up');
  slow.finish();
  expect(await readFile((await readers[1]!).path, 'utf8')).toBe('slow');
  expect(loads).toEqual(['slow']);
});

test('ends a download once its last reader has given up, and starts again for the next one', async () => {
  const first = waiting('a');
  const abort = new AbortController();
  const reader = cache.checkout(first.object, abort.signal);
  abort.abort(new Error('gave up'));
  await expect(reader).rejects.toThrow('gave up');
  expect(first.isAborted()).toBe(true);
  const next = await cache.checkout(object('a', 10));
  expect([await readFile(next.path, 'utf8'), cache.totalBytes]).toEqual(['a.........', 10]);
});

test('a failed download leaves nothing, and the next reader tries again', async () => {
  const failing = { id: 'a', bytes: 10, load: () => Promise.reject(new Error('no connection')) };
  await expect(cache.checkout(failing)).rejects.toThrow('no connection');
  expect([await readdir(folder), cache.totalBytes]).toEqual([[], 0]);
  await cache.checkout(object('a', 10));
  expect(loads).toEqual(['a']);
});
