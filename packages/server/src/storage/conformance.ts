/** Tests of the guarantees of `ObjectStore`. The test file of each implementation calls `describeObjectStore`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ListedObject, ObjectStore } from './object-store.ts';

export interface StoreUnderTest {
  store: ObjectStore;
  remove(): Promise<void>;
}

const badKeys = [
  '',
  '/a',
  'a/',
  'a//b',
  '.',
  '..',
  'a/../b',
  'a/./b',
  'a\\b',
  'a b',
  'é',
  'a\0b',
  'a/..',
  'a'.repeat(129),
];

/** Ends with an error after its first bytes. */
export function brokenStream(message: string): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error(message);
    })(),
  );
}

/** Each test gets a new, empty store from `create`. */
export function describeObjectStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let subject: StoreUnderTest;
    let store: ObjectStore;
    let folder: string;

    beforeEach(async () => {
      subject = await create();
      ({ store } = subject);
      folder = await mkdtemp(path.join(tmpdir(), 'quire-store-'));
    });
    afterEach(async () => {
      await store.close();
      await subject.remove();
      await rm(folder, { recursive: true, force: true });
    });

    async function read(key: string, range?: readonly [number, number]): Promise<string | undefined> {
      const stream = await store.get(key, range);
      return stream === undefined ? undefined : (await buffer(stream)).toString();
    }

    test('an object is read as it was put, from a buffer and from a stream', async () => {
      expect(await store.put('a/b.txt', Buffer.from('buffer'))).toEqual({ sizeBytes: 6 });
      expect(await store.put('a/c.txt', Readable.from([Buffer.from('str'), Buffer.from('eam!')]))).toEqual({
        sizeBytes: 7,
      });
      expect([await read('a/b.txt'), await read('a/c.txt')]).toEqual(['buffer', 'stream!']);
      expect(await store.stat('a/c.txt')).toEqual({ sizeBytes: 7 });
    });

    test('an empty object is an object', async () => {
      expect(await store.put('empty', Buffer.alloc(0))).toEqual({ sizeBytes: 0 });
      expect(await read('empty')).toBe('');
      expect(await store.stat('empty')).toEqual({ sizeBytes: 0 });
    });

    test('list yields the objects below a prefix with their sizes, and nothing beside it', async () => {
      const before = Date.now() - 2000;
      await store.put('a/1/x', Buffer.from('one'));
      await store.put('a/1/b/y', Buffer.from('four'));
      await store.put('a/10/z', Buffer.from('beside'));
      const listed: ListedObject[] = [];
      for await (const object of store.list('a/1/')) listed.push(object);
      const byKey = listed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
      expect(byKey.map(({ key, sizeBytes }) => [key, sizeBytes])).toEqual([
        ['a/1/b/y', 4],
        ['a/1/x', 3],
      ]);
      for (const { modifiedAt } of listed) expect(modifiedAt.getTime()).toBeGreaterThan(before);
      for await (const object of store.list('none/')) expect(object).toBeUndefined();
    });

    test('a put replaces what was there', async () => {
      await store.put('a', Buffer.from('long first content'));
      await store.put('a', Buffer.from('second'));
      expect(await read('a')).toBe('second');
    });

    test('a reader of the old content reads it to the end while it is replaced', async () => {
      await store.put('a', Buffer.alloc(300_000, 'o'));
      const stream = (await store.get('a')) ?? Readable.from([]);
      await store.put('a', Buffer.from('new'));
      expect((await buffer(stream)).equals(Buffer.alloc(300_000, 'o'))).toBe(true);
    });

    test('a range has both ends in it and stops at the end of the object', async () => {
      await store.put('a', Buffer.from('0123456789'));
      expect(await read('a', [2, 4])).toBe('234');
      expect(await read('a', [0, 0])).toBe('0');
      expect(await read('a', [8, 99])).toBe('89');
    });

    test('what is not there is undefined, and deleting it is no error', async () => {
      expect(await read('a/none')).toBeUndefined();
      expect(await store.stat('a/none')).toBeUndefined();
      expect(await store.checkout('a/none')).toBeUndefined();
      await store.delete('a/none');
      await store.deletePrefix('a/none/');
    });

    test('a prefix is no object', async () => {
      await store.put('a/b/c', Buffer.from('x'));
      expect(await read('a/b')).toBeUndefined();
      expect(await store.stat('a/b')).toBeUndefined();
    });

    test('a stream that fails leaves the old content, or nothing', async () => {
      await store.put('old', Buffer.from('old'));
      await expect(store.put('old', brokenStream('upload broke'))).rejects.toThrow('upload broke');
      await expect(store.put('new', brokenStream('upload broke'))).rejects.toThrow('upload broke');
      expect([await read('old'), await read('new')]).toEqual(['old', undefined]);
    });

    test('an aborted put stores nothing', async () => {
      const abort = new AbortController();
      const endless = Readable.from(
        (async function* () {
          yield Buffer.from('first');
          abort.abort();
          for (;;) yield Buffer.alloc(65_536);
        })(),
      );
      await expect(store.put('a', endless, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
      expect(await read('a')).toBeUndefined();
    });

    test('putFile takes the file over', async () => {
      const file = path.join(folder, 'upload');
      await writeFile(file, 'spooled');
      expect(await store.putFile('a/b', file)).toEqual({ sizeBytes: 7 });
      expect(await read('a/b')).toBe('spooled');
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('a checkout is a file with the content', async () => {
      await store.put('a/b', Buffer.from('content'));
      const checkout = await store.checkout('a/b');
      expect(await readFile(checkout?.path ?? '', 'utf8')).toBe('content');
      await checkout?.release();
      expect(await read('a/b')).toBe('content');
    });

    test('delete removes one object, deletePrefix all below and nothing beside', async () => {
      for (const key of ['a/1/x', 'a/1/y/z', 'a/10/x', 'a/2', 'b']) await store.put(key, Buffer.from(key));
      await store.deletePrefix('a/1/');
      await store.delete('a/2');
      const left = await Promise.all(['a/1/x', 'a/1/y/z', 'a/10/x', 'a/2', 'b'].map((key) => read(key)));
      expect(left).toEqual([undefined, undefined, 'a/10/x', undefined, 'b']);
    });

    test('writes and deletes in one folder at once all come true', async () => {
      const numbers = Array.from({ length: 40 }, (_, index) => index);
      await Promise.all(
        numbers.map(async (number) => {
          await store.put(`d/e/${number}`, Buffer.from(String(number)));
          if (number % 2 === 1) await store.delete(`d/e/${number}`);
        }),
      );
      const left = await Promise.all(numbers.map((number) => read(`d/e/${number}`)));
      expect(left).toEqual(numbers.map((number) => (number % 2 === 1 ? undefined : String(number))));
    });

    test.for(badKeys)('the key %j is refused by every method', async (key) => {
      const file = path.join(folder, 'upload');
      await writeFile(file, 'x');
      const calls: (() => unknown)[] = [
        () => store.put(key, Buffer.from('x')),
        () => store.putFile(key, file),
        () => store.get(key),
        () => store.stat(key),
        () => store.checkout(key),
        () => store.delete(key),
        () => store.deletePrefix(`${key}/`),
      ];
      for (const call of calls) await expect((async () => call())()).rejects.toMatchObject({ name: 'ObjectKeyError' });
      expect(await readFile(file, 'utf8')).toBe('x');
    });

    test('a prefix without its slash is refused', async () => {
      await expect((async () => store.deletePrefix('a'))()).rejects.toMatchObject({ name: 'ObjectKeyError' });
    });
  });
}
