/** Conformance cases: reading files, also while they change. */
import { expect } from 'vitest';
import { ItemFailed } from '../connector-error.ts';
import { CONTEXT, entryAt, expectItemFailure, noAbort, readBody, write } from './read-source.ts';
import type { ConformanceCase } from './source.ts';

const LARGE = 3_000_000;

export const fetchCases: readonly ConformanceCase[] = [
  {
    name: 'a file is read byte for byte, with the version of its entry',
    async run(source) {
      const bytes = Buffer.from(Array.from({ length: 100_000 }, (_each, at) => (at * 31) % 256));
      await source.write('a/bytes', bytes);
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/bytes');
      const file = await connector.fetch(entry, noAbort);
      expect([file.version, (await readBody(file.body)).equals(bytes)]).toEqual([entry.version, true]);
    },
  },
  {
    name: 'a file of zero bytes is listed and read',
    async run(source) {
      await source.write('a/empty', Buffer.alloc(0));
      const connector = source.open(CONTEXT);
      const { body } = await connector.fetch(await entryAt(connector, 'a/empty'), noAbort);
      expect((await readBody(body)).length).toBe(0);
    },
  },
  {
    name: 'a file of the maximum size is read, a larger one fails as too large',
    async run(source) {
      await source.write('fits', Buffer.alloc(1000, 'x'));
      await source.write('too-large', Buffer.alloc(1001, 'x'));
      const connector = source.open({ ...CONTEXT, maxFileBytes: 1000 });
      const { body } = await connector.fetch(await entryAt(connector, 'fits'), noAbort);
      expect((await readBody(body)).length).toBe(1000);
      await expectItemFailure(connector, await entryAt(connector, 'too-large'), 'too_large');
    },
  },
  {
    name: 'a file that was replaced after the listing is read with its new version',
    async run(source) {
      await write(source, 'a/1');
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/1');
      await source.write('a/1', Buffer.from('the new and longer content'));
      const file = await connector.fetch(entry, noAbort);
      expect((await readBody(file.body)).toString()).toBe('the new and longer content');
      expect(file.version).not.toBe(entry.version);
      expect(file.version).toBe((await entryAt(connector, 'a/1')).version);
    },
  },
  {
    name: 'a file that is replaced while it is read never mixes two versions',
    async run(source) {
      await source.write('a/1', Buffer.alloc(LARGE, 'o'));
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/1');
      const file = await connector.fetch(entry, noAbort);
      const parts: Buffer[] = [];
      try {
        for await (const part of file.body) {
          if (parts.length === 0) await source.write('a/1', Buffer.alloc(LARGE + 1, 'n'));
          parts.push(part as Buffer);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(ItemFailed);
        expect(error).toMatchObject({ path: 'a/1', reason: 'changed' });
        return;
      }
      const expected = file.version === entry.version ? Buffer.alloc(LARGE, 'o') : Buffer.alloc(LARGE + 1, 'n');
      expect(Buffer.concat(parts).equals(expected)).toBe(true);
    },
  },
  {
    name: 'a file that was deleted after the listing fails as gone',
    async run(source) {
      await write(source, 'a/1');
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/1');
      await source.remove('a/1');
      await expectItemFailure(connector, entry, 'gone');
    },
  },
  {
    name: 'a file that cannot be read fails alone',
    needs: 'file',
    async run(source) {
      await write(source, 'a/1', 'a/2');
      const connector = source.open(CONTEXT);
      await source.setFault({ kind: 'file', path: 'a/1' });
      await expectItemFailure(connector, await entryAt(connector, 'a/1'), 'permission');
      const { body } = await connector.fetch(await entryAt(connector, 'a/2'), noAbort);
      expect((await readBody(body)).toString()).toBe('content of a/2');
    },
  },
];
