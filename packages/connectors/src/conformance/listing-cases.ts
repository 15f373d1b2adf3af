/** Conformance cases: pages, resuming, versions and names. */
import { expect } from 'vitest';
import {
  CONTEXT,
  entryAt,
  foldersOfPages,
  listAll,
  listInto,
  noAbort,
  pathsOf,
  readBody,
  state,
  write,
} from './read-source.ts';
import type { ListingPage } from '../connector.ts';
import type { ConformanceCase } from './source.ts';

const TREE = ['a/1', 'a/2', 'a/b/3', 'a/b/4', 'a/b/5', 'c/6', 'c/7', 'd.e/8', '9', 'a b/10'];

const NAMES = [
  'Übersicht/größe.txt',
  'résumé-NFC.txt',
  'résumé-NFD.txt'.normalize('NFD'),
  'отчёт/план.txt',
  '報告/二〇二六.txt',
  'التقرير.txt',
  'דוח.txt',
  'रिपोर्ट.txt',
  '📄 file.txt',
  "a+b %20 & 'c' #1 (x)=y;z.txt",
];

export const listingCases: readonly ConformanceCase[] = [
  {
    name: 'an empty source is listed as one complete and empty root',
    async run(source) {
      const pages = await listAll(source.open(CONTEXT));
      expect([pathsOf(pages), foldersOfPages(pages)]).toEqual([[], ['']]);
    },
  },
  {
    name: 'all files are listed exactly once, in pages, and the last page completes the root',
    async run(source) {
      await write(source, ...TREE);
      const pages = await listAll(source.open(CONTEXT));
      expect(pathsOf(pages)).toEqual(TREE.toSorted());
      expect(pages.map((page) => page.completeFolders.includes(''))).toEqual(
        pages.map((_page, at) => at === pages.length - 1),
      );
      expect(pages.length).toBeGreaterThanOrEqual(4);
    },
  },
  {
    name: 'a folder is complete only after all files below it are listed',
    async run(source) {
      await write(source, ...TREE);
      const seen = new Set<string>();
      for (const page of await listAll(source.open(CONTEXT))) {
        for (const { path } of page.entries) seen.add(path);
        for (const folder of page.completeFolders) {
          const inside = TREE.filter((path) => folder === '' || path.startsWith(`${folder}/`));
          expect([folder, inside.filter((path) => !seen.has(path))]).toEqual([folder, []]);
        }
      }
    },
  },
  {
    name: 'a listing resumes after every page in another connector, with nothing lost or repeated',
    async run(source) {
      await write(source, ...TREE);
      const pages: ListingPage[] = [];
      const states: ReadonlyMap<string, string>[] = [];
      await listInto(pages, source.open(CONTEXT), null, CONTEXT, () => states.push(state.snapshot()));
      for (const [at, { resumeToken }] of pages.entries()) {
        if (resumeToken === null) continue;
        state.restore(states[at] ?? new Map());
        const resumed = [...pages.slice(0, at + 1), ...(await listAll(source.open(CONTEXT), resumeToken))];
        expect(pathsOf(resumed)).toEqual(TREE.toSorted());
        expect(foldersOfPages(resumed)).toEqual(foldersOfPages(pages));
      }
    },
  },
  {
    name: 'a folder with more files than fit into two pages of 1,000 is listed completely',
    async run(source) {
      const paths = Array.from({ length: 2500 }, (_each, at) => `many/${at}.txt`);
      await write(source, ...paths);
      const context = { ...CONTEXT, maxPageEntries: 1000 };
      const pages: Parameters<typeof listInto>[0] = [];
      await listInto(pages, source.open(context), null, context);
      expect(pathsOf(pages)).toEqual(paths.toSorted());
    },
  },
  {
    name: 'unchanged files keep their versions, a replaced file changes its version',
    async run(source) {
      await write(source, 'a/same', 'a/other');
      const connector = source.open(CONTEXT);
      const [same, other] = [await entryAt(connector, 'a/same'), await entryAt(connector, 'a/other')];
      await source.write('a/other', Buffer.from('new and longer content'));
      expect((await entryAt(connector, 'a/same')).version).toBe(same.version);
      expect((await entryAt(connector, 'a/other')).version).not.toBe(other.version);
    },
  },
  {
    name: 'a moved file is listed under its new path only, and keeps its id',
    async run(source) {
      await write(source, 'a/old', 'b/other');
      const connector = source.open(CONTEXT);
      const { id } = await entryAt(connector, 'a/old');
      await source.move('a/old', 'b/new');
      await source.confirm?.();
      expect(pathsOf(await listAll(connector))).toEqual(['b/new', 'b/other']);
      expect((await entryAt(connector, 'b/new')).id).toBe(id);
    },
  },
  {
    name: 'a deleted file is not listed any more',
    async run(source) {
      await write(source, 'a/1', 'a/2');
      await source.remove('a/1');
      await source.confirm?.();
      expect(pathsOf(await listAll(source.open(CONTEXT)))).toEqual(['a/2']);
    },
  },
  {
    name: 'names in every script are listed as written and can be fetched',
    async run(source) {
      await write(source, ...NAMES);
      const connector = source.open(CONTEXT);
      expect(pathsOf(await listAll(connector))).toEqual(NAMES.toSorted());
      for (const path of NAMES) {
        const { body } = await connector.fetch(await entryAt(connector, path), noAbort);
        expect((await readBody(body)).toString()).toBe(`content of ${path}`);
      }
    },
  },
  {
    name: 'links are not followed, so that a loop ends',
    needs: 'links',
    async run(source) {
      await write(source, 'a/1');
      await source.link?.('a/loop', '');
      expect(pathsOf(await listAll(source.open(CONTEXT)))).toEqual(['a/1']);
    },
  },
  {
    name: 'a test returns at most ten paths of the source',
    async run(source) {
      await write(source, 'a/1');
      expect(await source.open(CONTEXT).test(noAbort)).toEqual(['a/1']);
      const paths = Array.from({ length: 12 }, (_each, at) => `b/${at}`);
      await write(source, ...paths);
      const sample = await source.open(CONTEXT).test(noAbort);
      expect([sample.length, sample.filter((path) => path !== 'a/1' && !paths.includes(path))]).toEqual([10, []]);
    },
  },
];
