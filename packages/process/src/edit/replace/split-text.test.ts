import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyEdits, replaceInText, type Piece } from './split-text.ts';

/** Pieces with these texts side by side in a source; an upper case text cannot be edited, only removed. */
function piecesOf(texts: readonly string[]): Piece[] {
  let start = 0;
  return texts.map((text) => {
    const piece = { start, end: start + text.length + 1, text };
    start = piece.end;
    return text === text.toLowerCase() ? { ...piece, encode: (written: string) => ({ source: `${written}|` }) } : piece;
  });
}

const sourceOf = (texts: readonly string[]): string => texts.map((text) => `${text}|`).join('');

function replaced(texts: readonly string[], find: string, replacement: string): string {
  const { edits } = replaceInText({ pieces: piecesOf(texts) }, (text) =>
    [...text.matchAll(new RegExp(find, 'g'))].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      replacement,
    })),
  );
  return applyEdits(sourceOf(texts), edits);
}

it('writes a replacement into the first matched piece that can hold text', () => {
  expect(replaced(['one tw', 'o thr', 'ee'], 'two', '2')).toBe('one 2| thr|ee|');
  expect(replaced(['a', 'B', 'c'], 'Bc', '1')).toBe('a|1|');
  expect(replaced(['ab', '', 'cd'], 'bc', '1')).toBe('a1||d|');
});

it('writes a replacement before or after matched pieces that only can be removed', () => {
  expect(replaced(['a', 'B', 'c'], 'B', '1')).toBe('a1|c|');
  expect(replaced(['B', 'c'], 'B', '1')).toBe('1c|');
  expect(replaced(['a', 'B', 'B', 'c'], 'B', '1')).toBe('a11|c|');
  expect(replaced(['B', 'B', 'c'], 'B', '1')).toBe('11c|');
});

it('gives the text that a replacement in the joined text gives', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 4 }), { minLength: 1 });
  fc.assert(
    fc.property(texts, fc.constantFrom('a', 'ab', 'bca', 'cc'), fc.constantFrom('', 'x', 'abc'), (pieces, find, to) => {
      expect(replaced(pieces, find, to).replaceAll('|', '')).toBe(pieces.join('').replaceAll(find, to));
    }),
  );
});

it('reads each piece a bounded number of times, however many matches there are', () => {
  let reads = 0;
  const count = 2_000;
  const pieces = piecesOf(Array.from({ length: count }, () => 'ab')).map((piece) => ({
    ...piece,
    get text() {
      reads += 1;
      return 'ab';
    },
  }));
  const find = (text: string) =>
    Array.from({ length: text.length / 2 }, (_, at) => ({ start: at * 2, end: at * 2 + 1, replacement: 'x' }));
  expect(replaceInText({ pieces }, find).edits).toHaveLength(count);
  expect(reads).toBeLessThan(12 * count);
});
