/** Conformance cases: failures of the source and aborts. */
import { expect } from 'vitest';
import { ConnectorError, CredentialsRefused, ListingFailed, SourceUnavailable } from '../connector-error.ts';
import type { Connector, ListingPage } from '../connector.ts';
import { isInDeletionScope } from '../deletion-scope.ts';
import {
  CONTEXT,
  entryAt,
  foldersOfPages,
  listAll,
  listInto,
  noAbort,
  pathsOf,
  readBody,
  write,
} from './read-source.ts';
import type { ConformanceCase, Fault } from './source.ts';

const FLAT = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'a/6', 'a/7'];
/** Folders of one page each: a kind that lists folder by folder sends a request after each. */
const FOLDERS = ['a/1', 'a/2', 'a/3', 'b/4', 'b/5', 'b/6', 'c/7'];

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

/** Sets the fault after the first page and returns the failure of the rest. */
async function failAfterFirstPage(connector: Connector, setFault: () => Promise<void>): Promise<unknown> {
  let pages = 0;
  const listing = async (): Promise<void> => {
    for await (const _page of connector.list(null, noAbort)) if (++pages === 1) await setFault();
  };
  const failure = await failureOf(listing());
  expect(pages).toBe(1);
  return failure;
}

const failing = (
  name: string,
  fault: Fault,
  type: abstract new (...args: never[]) => Error,
  fields: object,
): ConformanceCase => ({
  name,
  needs: fault.kind,
  async run(source, { namesDelays = true }) {
    await write(source, ...FOLDERS);
    const connector = source.open(CONTEXT);
    const entry = await entryAt(connector, 'a/1');
    const setFault = (): Promise<void> => source.setFault(fault);
    const failures = [await failAfterFirstPage(connector, setFault)];
    failures.push(await failureOf(connector.test(noAbort)));
    failures.push(await failureOf(connector.fetch(entry, noAbort)));
    failures.push(await failureOf(source.open(CONTEXT).exists(entry, noAbort)));
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(type);
      expect(failure).toMatchObject(namesDelays || !('retryAfterMs' in fields) ? fields : { retryAfterMs: null });
    }
  },
});

export const failureCases: readonly ConformanceCase[] = [
  failing('credentials that are revoked during a listing are refused', { kind: 'credentials' }, CredentialsRefused, {}),
  failing(
    'a source that limits the rate is unavailable for the time that it names',
    { kind: 'unavailable', retryAfterMs: 3000 },
    SourceUnavailable,
    { retryAfterMs: 3000 },
  ),
  {
    name: 'a missing root is a failed listing and not an empty one',
    needs: 'missing-root',
    async run(source) {
      await source.setFault({ kind: 'missing-root' });
      const connector = source.open(CONTEXT);
      for (const work of [() => listAll(connector), () => connector.test(noAbort)]) {
        const failure = await failureOf(work());
        expect(failure).toBeInstanceOf(ListingFailed);
        expect(failure).toMatchObject({ folder: '' });
      }
    },
  },
  {
    name: 'a listing that ends after half of a folder throws and reports no complete folder',
    needs: 'cut',
    async run(source) {
      await write(source, ...FLAT);
      await source.setFault({ kind: 'cut', afterEntries: 4 });
      const pages: ListingPage[] = [];
      const failure = await failureOf(listInto(pages, source.open(CONTEXT)));
      expect(failure).toBeInstanceOf(SourceUnavailable);
      expect(foldersOfPages(pages)).toEqual([]);
    },
  },
  {
    name: 'a folder that cannot be listed spares its files and does not stop the listing',
    needs: 'folder',
    async run(source) {
      const paths = ['a/1', 'a/bad/2', 'a/bad/deep/3', 'b/4', 'c/5'];
      await write(source, ...paths);
      await source.setFault({ kind: 'folder', folder: 'a/bad' });
      const pages = await listAll(source.open(CONTEXT));
      expect(pathsOf(pages)).toEqual(['a/1', 'b/4', 'c/5']);
      const failed = pages.flatMap((page) => page.failures);
      expect(failed.map((failure) => [failure instanceof ListingFailed, failure.folder])).toEqual([[true, 'a/bad']]);
      const complete = new Set(foldersOfPages(pages));
      expect(complete.has('a/bad')).toBe(false);
      const deletable = [...paths, 'b/gone'].filter((path) => isInDeletionScope(path, complete, new Set(['a/bad'])));
      expect(deletable).toEqual(['a/1', 'b/4', 'c/5', 'b/gone']);
    },
  },
  {
    name: 'an aborted signal ends every method with its reason',
    async run(source) {
      await write(source, ...FLAT);
      const connector = source.open(CONTEXT);
      const entry = await entryAt(connector, 'a/1');
      const signal = AbortSignal.abort(new Error('stopped'));
      const listing = async (): Promise<void> => {
        for await (const page of connector.list(null, signal)) expect(page).toBe('no page');
      };
      const exists = () => connector.exists(entry, signal);
      for (const work of [listing, () => connector.fetch(entry, signal), exists, () => connector.test(signal)]) {
        expect(await failureOf(work())).toMatchObject({ message: 'stopped' });
      }
    },
  },
  {
    name: 'an abort between two pages ends the listing',
    async run(source) {
      await write(source, ...FLAT);
      const stop = new AbortController();
      const listing = async (): Promise<void> => {
        let pages = 0;
        for await (const _page of source.open(CONTEXT).list(null, stop.signal)) {
          expect(++pages).toBe(1);
          stop.abort(new Error('stopped'));
        }
      };
      expect(await failureOf(listing())).toMatchObject({ message: 'stopped' });
    },
  },
  {
    name: 'an abort while a file is read destroys its body and is no failure of the file',
    async run(source) {
      await source.write('a/1', Buffer.alloc(3_000_000, 'x'));
      const connector = source.open(CONTEXT);
      const stop = new AbortController();
      const { body } = await connector.fetch(await entryAt(connector, 'a/1'), stop.signal);
      stop.abort(new Error('stopped'));
      const failure = await failureOf(readBody(body));
      expect(failure).toBeInstanceOf(Error);
      expect(failure).not.toBeInstanceOf(ConnectorError);
      expect(body.destroyed).toBe(true);
    },
  },
];
