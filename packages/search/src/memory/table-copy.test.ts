import { expect, test } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { TableCopy } from './table-copy.ts';
import type { CopyRequest } from './copy-protocol.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const table: IndexTable = { name: 'chunks', dimensions: null };

/** Records requests. */
class ListeningChannel extends LocalChannel {
  readonly asked: string[] = [];

  override request(request: CopyRequest) {
    this.asked.push(request.do);
    return super.request(request);
  }
}

async function open() {
  const source = new ArrayIndex();
  await source.add(table, [{ chunkKey: 1n, documentKey: 1n, revision: 1, terms: 'wing' }]);
  const channel = new ListeningChannel();
  return { channel, copy: new TableCopy(table, source, channel) };
}

test('applies writes during a load after the loaded rows', async () => {
  const { channel, copy } = await open();
  const loading = copy.load(2 ** 20, 1, null);
  await copy.remove([{ documentKey: 1n, belowRevision: null }]);
  await copy.add([{ chunkKey: 2n, documentKey: 2n, revision: 1, terms: 'wing' }]);
  expect(await loading).toBe(true);
  expect(channel.asked).toEqual(['open', 'load', 'remove', 'add']);
  expect(await copy.searchSparse(['wing'], 9)).toMatchObject([{ chunkKey: 2n }]);
});

test('never opens a copy that was released before', async () => {
  const { channel, copy } = await open();
  const loading = copy.load(2 ** 20, 1, null);
  copy.release();
  expect(await loading).toBe(false);
  expect(channel.asked).toEqual(['release']);
});
