import { expect, test } from 'vitest';
import { remembering } from './reading.ts';

test('results are computed once for a text and language, and again after twice as many others', () => {
  const asked: string[] = [];
  const read = remembering((text, language) => {
    asked.push(`${language}:${text}`);
    return text.length;
  }, 2);
  expect([read('owl', 'en'), read('owl', 'en'), read('owl', 'de')]).toEqual([3, 3, 3]);
  expect(asked).toEqual(['en:owl', 'de:owl']);
  for (const text of ['a', 'b', 'c']) read(text, 'en');
  read('owl', 'en');
  expect(asked).toEqual(['en:owl', 'de:owl', 'en:a', 'en:b', 'en:c', 'en:owl']);
});
