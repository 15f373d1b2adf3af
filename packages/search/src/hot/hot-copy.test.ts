import { expect, test } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { HotCopy } from './hot-copy.ts';
import type { HotRequest } from './hot-protocol.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const table: IndexTable = { name: 'chunks', dimensions: null };

/** Remembers what was asked. */
class ListeningChannel extends LocalChannel {
  readonly asked: string[] = [];

  override ask(request: HotRequest) {
    this.asked.push(request.do);
    return super.ask(request);
  }
}

async function open() {
  const source = new ArrayIndex();
  await source.add(table, [{ chunkKey: 1n, documentKey: 1n, revision: 1, terms: 'wing' }]);
  const channel = new ListeningChannel();
  return { channel, copy: new HotCopy(table, source, channel) };
}

test('what is written while the table is read comes after what was read', async () => {
  const { channel, copy } = await open();
  const loading = copy.load(2 ** 20, 1, null);
  await copy.remove([{ documentKey: 1n, belowRevision: null }]);
  await copy.add([{ chunkKey: 2n, documentKey: 2n, revision: 1, terms: 'wing' }]);
  expect(await loading).toBe(true);
  expect(channel.asked).toEqual(['open', 'load', 'remove', 'add']);
  expect(await copy.searchSparse(['wing'], 9)).toMatchObject([{ chunkKey: 2n }]);
});

test('a copy that is given up before it was opened is never opened', async () => {
  const { channel, copy } = await open();
  const loading = copy.load(2 ** 20, 1, null);
  copy.release();
  expect(await loading).toBe(false);
  expect(channel.asked).toEqual(['release']);
});
