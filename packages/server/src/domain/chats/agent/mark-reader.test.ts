import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MarkReader, type MarkedPiece } from './mark-reader.ts';

function read(pieces: readonly string[]): MarkedPiece[] {
  const reader = new MarkReader();
  return joined([...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]);
}

/** Joins adjacent text pieces. */
function joined(pieces: readonly MarkedPiece[]): MarkedPiece[] {
  const result: MarkedPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.type === 'text' && last?.type === 'text') last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}

const text = (value: string): MarkedPiece => ({ type: 'text', text: value });
const mark = (...numbers: number[]): MarkedPiece => ({ type: 'mark', lead: '', numbers });

describe('marks', () => {
  test.each([
    ['[2]', [mark(2)]],
    ['[1, 3] and [2][2]', [mark(1, 3), text(' and'), { ...mark(2), lead: ' ' }, mark(2)]],
    ['[^4]', [mark(4)]],
    ['[Source 5]', [mark(5)]],
    ['【6†source】', [mark(6)]],
    ['eight  [7].', [text('eight'), { ...mark(7), lead: '  ' }, text('.')]],
  ])('%s', (said, pieces) => {
    expect(read([said])).toEqual(pieces);
  });

  test.each(['[2](https://example.org)', '[see there]', 'a [ 2', '[]', '[12345]', 'list[i]'])('%s is text', (said) => {
    expect(read([said])).toEqual([text(said)]);
  });

  test('marks are found wherever the stream is cut', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '1',
      '23',
      ', ',
      ' ',
      'a',
      '.',
      '【',
      '】',
      '^',
      '(',
      '[4]',
      '[Source 2]',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40)), (parts, cuts) => {
        const whole = parts.join('');
        const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, at) => whole.slice(from, places[at] ?? whole.length));
        expect(read(pieces)).toEqual(read([whole]));
      }),
    );
  });

  test('text that cannot become a mark is not held back', () => {
    const reader = new MarkReader();
    expect(reader.push('The card')).toEqual([text('The card')]);
    expect(reader.push(' [1')).toEqual([]);
    expect(reader.push('st edition]')).toEqual([]);
    expect(reader.push(' costs')).toEqual([text(' [1st edition] costs')]);
  });
});
