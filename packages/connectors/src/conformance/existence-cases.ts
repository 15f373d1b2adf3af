/** Conformance cases: what a listing leaves out while the source has it. */
import { expect } from 'vitest';
import type { Connector, ListingPage } from '../connector.ts';
import { CONTEXT, entryAt, foldersOfPages, listAll, listInto, noAbort, pathsOf, state, write } from './read-source.ts';
import type { ConformanceCase } from './source.ts';

/** Files whose name is that of a folder, or begins with it, in the order of keys and of folders. */
const LIKE_FOLDERS = ['x', 'x/1', 'x/2', 'x-1', 'x.txt', 'y/z', 'y/z/1', 'y/z/2', 'y/z!', 'z', 'z/1', 'z/2', 'z/3'];
const NAMES = [
  'a/same.txt',
  'a/Größe & Maß.txt',
  'a/résumé.txt'.normalize('NFD'),
  '報告/二〇二六.txt',
  'a+b %20 #1.txt',
];

async function answers(connector: Connector, entries: readonly { path: string }[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of entries) found.push(await connector.exists(entry, noAbort));
  return found;
}

export const existenceCases: readonly ConformanceCase[] = [
  {
    name: 'a file that exists is present, and one that was deleted or moved away is absent',
    async run(source) {
      await write(source, ...NAMES, 'b/gone', 'b/c/gone too');
      const listed = source.open(CONTEXT);
      const entries = await Promise.all([...NAMES, 'b/gone', 'b/c/gone too'].map((path) => entryAt(listed, path)));
      const connector = source.open(CONTEXT);
      expect(await answers(connector, entries)).toEqual(entries.map(() => 'present'));
      await source.remove('b/gone');
      await source.remove('b/c/gone too');
      expect(await answers(source.open(CONTEXT), entries)).toEqual([...NAMES.map(() => 'present'), 'absent', 'absent']);
    },
  },
  {
    name: 'a file that a listing leaves out is present',
    needs: 'hidden',
    async run(source) {
      await write(source, 'a/1', 'a/2', 'b/3', 'b/c/4');
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/2');
      await source.setFault({ kind: 'hidden', path: 'a/2' });
      const pages = await listAll(connector);
      expect([pathsOf(pages), foldersOfPages(pages).includes('')]).toEqual([['a/1', 'b/3', 'b/c/4'], true]);
      expect(await connector.exists(entry, noAbort)).toBe('present');
    },
  },
  {
    name: 'nothing is skipped beside a file with the name of a folder, at any border of pages and after a stop',
    needs: 'file-like-folder',
    async run(source) {
      await write(source, ...LIKE_FOLDERS);
      const paths = LIKE_FOLDERS.toSorted();
      for (let maxPageEntries = 1; maxPageEntries <= LIKE_FOLDERS.length; maxPageEntries += 1) {
        state.clear();
        const context = { ...CONTEXT, maxPageEntries };
        const pages: ListingPage[] = [];
        const states: ReadonlyMap<string, string>[] = [];
        await listInto(pages, source.open(context), null, context, () => states.push(state.snapshot()));
        expect([maxPageEntries, pathsOf(pages)]).toEqual([maxPageEntries, paths]);
        for (const [at, { resumeToken }] of pages.entries()) {
          if (resumeToken === null) continue;
          state.restore(states[at] ?? new Map());
          const resumed = pages.slice(0, at + 1);
          await listInto(resumed, source.open(context), resumeToken, context);
          expect([maxPageEntries, at, pathsOf(resumed)]).toEqual([maxPageEntries, at, paths]);
        }
      }
    },
  },
  {
    name: 'a file that may not be read is not absent',
    needs: 'file',
    async run(source) {
      await write(source, 'a/1', 'a/2');
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/1');
      await source.setFault({ kind: 'file', path: 'a/1' });
      expect(['present', 'unknown']).toContain(await connector.exists(entry, noAbort));
    },
  },
  {
    name: 'a file below a folder that cannot be listed is not absent',
    needs: 'folder',
    async run(source) {
      await write(source, 'a/1', 'a/bad/deep/2');
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/bad/deep/2');
      await source.setFault({ kind: 'folder', folder: 'a/bad' });
      expect(['present', 'unknown']).toContain(await source.open(CONTEXT).exists(entry, noAbort));
    },
  },
  {
    name: 'without its root, a source says nothing about a file',
    needs: 'missing-root',
    async run(source) {
      await write(source, 'a/1', 'a/2');
      const entry = await entryAt(source.open(CONTEXT), 'a/1');
      await source.setFault({ kind: 'missing-root' });
      await expect(source.open(CONTEXT).exists(entry, noAbort)).rejects.toMatchObject({
        type: 'listing_failed',
        folder: '',
      });
    },
  },
];
