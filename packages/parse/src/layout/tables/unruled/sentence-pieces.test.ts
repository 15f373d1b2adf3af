import { describe, expect, it } from 'vitest';
import type { Word } from '../../page/page-content.ts';
import { unruledTable } from './unruled-table.ts';

const style = { name: 'Test', bold: false, italic: false, monospace: false };

/** Returns the words of cells; columns begin at `xs`, letters are half as wide as high. */
function wordsOf(rows: readonly (readonly string[])[], xs: readonly number[], size: number): Word[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => {
      let x = xs[column] ?? 0;
      const baseline = 100 + row * 1.3 * size;
      return cell.split(' ').map((text): Word => {
        const x1 = x + text.length * 0.5 * size;
        const word = {
          text,
          x0: x,
          x1,
          y0: baseline - size,
          y1: baseline,
          baseline,
          size,
          style,
          glued: false,
          angle: 0,
        };
        x = x1 + 0.25 * size;
        return word;
      });
    }),
  );
}

const NONE = { vertical: [], horizontal: [] };

/** Lines of which one is much longer than the others, so that the columns are no blocks of full lines. */
const PROSE = [
  ['The master of my port', 'was seen on the quays'],
  ['keeps a book of ships', 'by all who were there'],
  ['that come in and of the day', 'the harbour to see the ship'],
  ['on which it is sailed', 'of the king and those'],
  ['so that the dues paid', 'were told to go again'],
  ['in the hall of a town', 'as the ship had to be'],
  ['are known to all here', 'away in the next hour'],
];

const PHRASES = [
  ['describe the function', 'help'],
  ['list all of the topics', 'topics'],
  ['show the result', 'last'],
  ['leave the program at once and without a question', 'quit'],
  ['set the default of a value', 'set'],
  ['print it', 'print'],
];

describe.each([8, 10, 13])('in %i points', (size) => {
  it('running text in two columns is no table', () => {
    expect(unruledTable(wordsOf(PROSE, [60, 60 + 16 * size], size), NONE, false)).toBeUndefined();
  });

  it('short phrases that all begin with small letters are a table', () => {
    expect(unruledTable(wordsOf(PHRASES, [60, 60 + 28 * size], size), NONE, false)?.rowCount).toBe(6);
  });
});
