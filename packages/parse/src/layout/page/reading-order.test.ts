import { expect, it } from 'vitest';
import { inReadingOrder, type Placed } from './reading-order.ts';

interface Named extends Placed {
  name: string;
}

const box = (name: string, x0: number, y0: number, x1: number, y1: number, order: number): Named => ({
  name,
  x0,
  y0,
  x1,
  y1,
  order,
  weight: 200,
});
const names = (items: readonly Named[], rightToLeft = false): string =>
  inReadingOrder(items, rightToLeft)
    .map((item) => item.name)
    .join(' ');

it('keeps the drawing order of columns', () => {
  expect(names([box('a', 0, 0, 100, 50, 0), box('b', 0, 60, 100, 90, 1), box('c', 120, 0, 220, 90, 2)])).toBe('a b c');
});

it('moves an element drawn late below the element above it', () => {
  expect(names([box('title', 0, 0, 220, 20, 9), box('a', 0, 30, 100, 90, 1), box('b', 120, 30, 220, 90, 2)])).toBe(
    'title a b',
  );
});

it('orders a page drawn bottom to top by column, top to bottom', () => {
  const items = [
    box('d', 120, 60, 220, 90, 0),
    box('b', 0, 60, 100, 90, 1),
    box('c', 120, 0, 220, 50, 2),
    box('a', 0, 0, 100, 50, 3),
  ];
  expect(names(items)).toBe('a b c d');
  expect(names(items, true)).toBe('c d a b');
});

it('follows section numbers of columns drawn row by row', () => {
  const numbered = [
    { ...box('one', 0, 0, 100, 50, 0), number: 1 },
    { ...box('three', 120, 0, 220, 50, 1), number: 3 },
    { ...box('two', 0, 60, 100, 90, 2), number: 2 },
    { ...box('four', 120, 60, 220, 90, 3), number: 4 },
  ];
  expect(names(numbered)).toBe('one two three four');
});

it('starts with the topmost text unless a later column begins there', () => {
  const rest = [box('a', 0, 30, 100, 50, 0), box('b', 0, 55, 100, 75, 1), box('c', 0, 80, 100, 99, 2)];
  expect(names([...rest, box('title', 110, 0, 190, 20, 9), box('d', 200, 60, 300, 90, 3)])).toBe('title a b c d');
  expect(names([...rest, box('head', 200, 0, 300, 20, 3), box('d', 200, 30, 300, 90, 4)])).toBe('a b c head d');
});
