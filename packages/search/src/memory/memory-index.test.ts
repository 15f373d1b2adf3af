// large: loads copies in worker threads
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { LanceIndex } from '../lance-index.ts';
import type { IndexTable, SearchIndex } from '../search-index.ts';
import { ThreadChannel, type CopyChannel } from './copy-channel.ts';
import { MemoryIndex } from './memory-index.ts';
import { SplitChannel } from './split-channel.ts';
import { LocalChannel } from './testing/local-channel.ts';

const directory = await mkdtemp(join(tmpdir(), 'quire-memory-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const fail = (error: unknown): never => {
  throw error;
};

async function open(name: string, channel: CopyChannel): Promise<MemoryIndex> {
  const lance = await LanceIndex.open({ uri: join(directory, name) });
  return new MemoryIndex(lance, { maxBytes: 2 ** 28, onlyWriter: false, onError: fail, channel, snapshots: null });
}

/** Searches twice: the first search loads the copy that answers the second. */
function askedTwice(index: MemoryIndex): SearchIndex {
  const twice = async <Hits>(ask: () => Promise<Hits>): Promise<Hits> => {
    await ask();
    await index.settled();
    return ask();
  };
  return new Proxy(index, {
    get(target, name: keyof MemoryIndex) {
      const value: unknown = target[name];
      if (typeof value !== 'function') return value;
      if (name !== 'searchSparse' && name !== 'searchDense') return value.bind(target) as unknown;
      return (table: IndexTable, ...rest: [never, number]) => twice(() => target[name](table, ...rest));
    },
  });
}

describe('conformance', () => {
  searchIndexConformance(() => open('first', new LocalChannel()));
});
describe('conformance of the copy in its thread', () => {
  // Vectors are stored in 16 bits.
  searchIndexConformance(async () => askedTwice(await open('second', new ThreadChannel())), 4);
});
describe('conformance of the copy in two threads', () => {
  const threads = (): CopyChannel => new SplitChannel(new ThreadChannel(), new ThreadChannel(), 0);
  searchIndexConformance(async () => askedTwice(await open('third', threads())), 4);
});
