import { expect, test } from 'vitest';
import { walSize } from './settings.ts';

test('the write-ahead log takes a twentieth of the disk, within bounds', () => {
  const GB = 1024 ** 3;
  expect([0.6 * GB, 10 * GB, 40 * GB, 1_000 * GB].map(walSize)).toEqual(['128MB', '512MB', '2048MB', '2048MB']);
});
