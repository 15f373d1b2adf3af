import { assert, nat, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

const key = Buffer.alloc(32, 7);
const text = string({ unit: 'grapheme' });

test('a cursor yields its position for the list that it was made for', () => {
  assert(
    property(text, text, (position, scope) => {
      expect(decodeCursor(encodeCursor(position, scope, key), scope, key)).toBe(position);
    }),
  );
});

test('a cursor of another list or key, or with a changed character, is refused', () => {
  const cursor = encodeCursor('0192f0c4-1111-7000-8000-000000000000', 'documents status=ready', key);
  expect(decodeCursor(cursor, 'documents status=failed', key)).toBeUndefined();
  expect(decodeCursor(cursor, 'documents status=ready', Buffer.alloc(32, 8))).toBeUndefined();
  assert(
    property(nat(cursor.length - 1), (at) => {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect(decodeCursor(changed, 'documents status=ready', key)).toBeUndefined();
    }),
  );
});

test('text that is no cursor is refused', () => {
  for (const garbage of ['', 'x', '!!!', 'A'.repeat(33), ' '.repeat(60), 'é'.repeat(40)]) {
    expect(decodeCursor(garbage, '', key)).toBeUndefined();
  }
});
