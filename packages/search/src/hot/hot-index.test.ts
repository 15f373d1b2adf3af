import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { LanceIndex } from '../lance-index.ts';
import type { IndexTable, SearchIndex } from '../search-index.ts';
import { ThreadChannel, type HotChannel } from './hot-channel.ts';
import { HotIndex } from './hot-index.ts';
import { SplitChannel } from './split-channel.ts';
import { LocalChannel } from './testing/local-channel.ts';

const directory = await mkdtemp(join(tmpdir(), 'hot-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const fail = (error: unknown): never => {
  throw error;
};

async function open(name: string, channel: HotChannel): Promise<HotIndex> {
  const lance = await LanceIndex.open({ uri: join(directory, name) });
  return new HotIndex(lance, { maxBytes: 2 ** 28, onlyWriter: false, onError: fail, channel, snapshots: null });
}

/** Asks twice: the second answer comes from the copy that the first has called for. */
function askedTwice(index: HotIndex): SearchIndex {
  const twice = async <Hits>(ask: () => Promise<Hits>): Promise<Hits> => {
    await ask();
    await index.settled();
    return ask();
  };
  return new Proxy(index, {
    get(target, name: keyof HotIndex) {
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
  // Vectors in 16 bits.
  searchIndexConformance(async () => askedTwice(await open('second', new ThreadChannel())), 4);
});
describe('conformance of the copy in two threads', () => {
  const threads = (): HotChannel => new SplitChannel(new ThreadChannel(), new ThreadChannel(), 0);
  searchIndexConformance(async () => askedTwice(await open('third', threads())), 4);
});
