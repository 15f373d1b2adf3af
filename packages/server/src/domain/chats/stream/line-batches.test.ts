import { expect, test } from 'vitest';
import type { Message } from '../conversation.ts';
import { LineBatches } from './line-batches.ts';
import type { StoredLines } from './lines.ts';

const message = (id: string): Message => ({ id }) as Message;

test('lines that arrive during a write form one batch, and a message that cannot be stored fails alone', async () => {
  const batches: string[][] = [];
  const batching = new LineBatches({
    storeAll: async (batch: readonly StoredLines[]) => {
      const ids = batch.map((each) => each.message.id);
      batches.push(ids);
      await Promise.resolve();
      if (ids.includes('broken')) throw new Error('not to be stored');
      return new Set(ids.filter((id) => id !== 'ended'));
    },
  });
  const stored = ['a', 'b', 'ended', 'c'].map((id) => batching.store([], message(id), true));
  expect(await Promise.all(stored)).toEqual([true, true, false, true]);
  const more = ['d', 'broken', 'e'].map((id) => batching.store([], message(id), true));
  const outcomes = (await Promise.allSettled(more)).map((each) => each.status);
  expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['a'], ['b', 'ended', 'c'], ['d'], ['broken', 'e'], ['broken'], ['e']]);
});
