import { expect, test } from 'vitest';
import { matching, repeatedLabels, type PaletteEntry } from './palette-entries.ts';

const entry = (label: string): PaletteEntry => ({
  id: label,
  label,
  group: 'Documents',
  icon: 'documents',
  run: () => undefined,
});

test('labels of several entries are repeated', () => {
  expect([...repeatedLabels(['a', 'b', 'a', 'c', 'a', 'c'].map(entry))]).toEqual(['a', 'c']);
});

test('entries that begin with the text are first', () => {
  expect(matching(['Old lease', 'Lease', 'Letter'].map(entry), 'lease').map(({ label }) => label)).toEqual([
    'Lease',
    'Old lease',
  ]);
});
