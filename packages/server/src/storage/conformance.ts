/** What every object store must do; each implementation's test calls `describeObjectStore`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ObjectStore } from './object-store.ts';

export function describeObjectStore(name: string, open: (directory: string) => Promise<ObjectStore>): void {
  describe(`${name} as an object store`, () => {
    let directory: string;
    let store: ObjectStore;
    const read = async (key: string, range?: readonly [number, number]): Promise<string | undefined> => {
      const stream = await store.get(key, range);
      return stream === undefined ? undefined : (await buffer(stream)).toString();
    };

    beforeEach(async () => {
      directory = await mkdtemp(path.join(tmpdir(), 'quire-store-'));
      store = await open(path.join(directory, 'store'));
    });
    afterEach(async () => {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    });

    test('an object is read back as it was put, from a buffer or a stream', async () => {
      expect(await store.put('a/b', Buffer.from('first'))).toEqual({ sizeBytes: 5 });
      expect(await store.put('a/c', Readable.from([Buffer.from('se'), Buffer.from('cond')]))).toEqual({ sizeBytes: 6 });
      expect(await read('a/b')).toBe('first');
      expect(await read('a/c')).toBe('second');
      expect(await store.stat('a/c')).toEqual({ sizeBytes: 6 });
    });

    test('a second put replaces the first', async () => {
      await store.put('a', Buffer.from('old and long'));
      await store.put('a', Buffer.from('new'));
      expect(await read('a')).toBe('new');
    });

    test('a stream that breaks leaves what was there before', async () => {
      await store.put('a', Buffer.from('old'));
      const broken = Readable.from(
        (function* () {
          yield Buffer.from('half');
          throw new Error('cut off');
        })(),
      );
      await expect(store.put('a', broken)).rejects.toThrowError('cut off');
      expect(await read('a')).toBe('old');
    });

    test('a file is moved in', async () => {
      const file = path.join(directory, 'upload');
      await writeFile(file, 'content');
      expect(await store.putFile('x/y/original', file)).toEqual({ sizeBytes: 7 });
      expect(await read('x/y/original')).toBe('content');
    });

    test('a range is inclusive at both ends', async () => {
      await store.put('a', Buffer.from('0123456789'));
      expect(await read('a', [2, 4])).toBe('234');
    });

    test('what is not there is undefined, not an error', async () => {
      expect(await store.get('no/such')).toBeUndefined();
      expect(await store.stat('no/such')).toBeUndefined();
      expect(await store.checkout('no/such')).toBeUndefined();
      await store.delete('no/such');
      await store.deletePrefix('no/');
    });

    test('a checkout is a local file with the bytes', async () => {
      await store.put('a/b', Buffer.from('content'));
      const local = await store.checkout('a/b');
      expect(await readFile(local?.path ?? '', 'utf8')).toBe('content');
      await local?.release();
    });

    test('deleting a prefix spares its neighbours', async () => {
      await store.put('a/1/x', Buffer.from('1'));
      await store.put('a/12/x', Buffer.from('2'));
      await store.deletePrefix('a/1/');
      expect(await read('a/1/x')).toBeUndefined();
      expect(await read('a/12/x')).toBe('2');
    });

    test.each(['../a', '/a', 'a//b', 'a/../b', '', 'a/', '.tmp/a', 'a\\b', 'a\0b'])('refuses the key %j', async (key) => {
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrowError('not a storage key');
    });
  });
}
