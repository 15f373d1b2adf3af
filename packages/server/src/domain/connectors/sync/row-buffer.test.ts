import { expect, test } from 'vitest';
import { RowBuffer } from './row-buffer.ts';

test('rows of any length are encoded, also after longer and shorter ones', () => {
  const buffer = new RowBuffer();
  const texts = ['a', 'größer'.repeat(100), '報告', ''];
  const encoded = texts.map((text) => buffer.encode([{ text }]).toString());
  expect(encoded).toEqual(texts.map((text) => JSON.stringify([{ text }])));
});
