import { expect, test } from 'vitest';
import { casesOf, describeConnector, runCase } from './conformance.ts';
import type { ConnectorFixture } from './conformance/source.ts';
import { ListingFailed } from './connector-error.ts';
import type { Connector, ConnectorContext, FetchedFile, ListingPage, SourceEntry } from './connector.ts';
import { MemoryConnector, MemorySource } from './testing/memory-connector.ts';

const fixture = (
  name: string,
  open: (source: MemorySource, context: ConnectorContext) => Connector,
): ConnectorFixture => ({
  name,
  start: async () => {
    const source = new MemorySource();
    return {
      write: async (path, bytes) => source.write(path, bytes),
      move: async (from, to) => source.move(from, to),
      remove: async (path) => void source.files.delete(path),
      setFault: async (fault) => void (source.fault = fault),
      link: async (path, target) => void source.links.set(path, target),
      open: (context) => open(source, context),
      close: async () => undefined,
    };
  },
});

/** Makes the mistakes that lose documents: each overrides one method of the reference. */
class BrokenConnector extends MemoryConnector {
  readonly #source: MemorySource;

  constructor(source: MemorySource, context: ConnectorContext) {
    super(source, context);
    this.#source = source;
  }

  /** Ignores the resume token, returns nothing for a missing root, follows links, and completes the root too early. */
  override async *list(_resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    try {
      for await (const page of super.list(null, signal)) {
        const linked = [...this.#source.links.keys()].map((path) => ({ path: `${path}/linked`, version: 'v' }));
        yield { ...page, entries: [...page.entries, ...linked], completeFolders: [''] };
      }
    } catch (error) {
      if (!(error instanceof ListingFailed)) throw error;
      yield { entries: [], resumeToken: null, completeFolders: [''], failures: [] };
    }
  }

  /** Claims that every file still has the listed version. */
  override async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    return { ...(await super.fetch(entry, signal)), version: entry.version };
  }
}

describeConnector(fixture('memory', (source, context) => new MemoryConnector(source, context)));

test('the suite finds each mistake of a broken connector', async () => {
  const broken = fixture('broken', (source, context) => new BrokenConnector(source, context));
  const failed: string[] = [];
  for (const each of casesOf(broken)) {
    await runCase(each, broken).catch(() => failed.push(each.name));
  }
  expect(failed).toEqual([
    'all files are listed exactly once, in pages, and the last page completes the root',
    'a folder is complete only after all files below it are listed',
    'a listing resumes after every page in another connector, with nothing lost or repeated',
    'links are not followed, so that a loop ends',
    'nothing is skipped beside a file with the name of a folder, at any border of pages and after a stop',
    'a file that was replaced after the listing is read with its new version',
    'a missing root is a failed listing and not an empty one',
    'a listing that ends after half of a folder throws and reports no complete folder',
  ]);
});

test('cases that need a capability are left out for a kind without it', () => {
  const all = fixture('all', (source, context) => new MemoryConnector(source, context));
  const flat = { ...all, without: { folder: 'no folders', links: 'no links' } };
  expect(casesOf(all).length - casesOf(flat).length).toBe(3);
});
