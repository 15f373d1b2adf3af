import { describe, expect, it } from 'vitest';
import { estimateBackground, type GreyPicture } from './grey-picture.ts';
import { connectedComponents } from './connected-components.ts';

function drawn(rows: readonly string[]): GreyPicture {
  const pixels = Buffer.from(rows.flatMap((row) => Array.from(row, (mark) => (mark === '#' ? 20 : 240))));
  return { pixels, width: rows[0]?.length ?? 0, height: rows.length };
}

const partsOf = (rows: readonly string[]) => {
  const picture = drawn(rows);
  return connectedComponents(picture, estimateBackground(picture));
};

describe('inkParts', () => {
  it('joins pixels that touch, also at corners, and separates others', () => {
    expect(partsOf(['#.....##', '.#......', '........', '..##....'])).toEqual([
      { x0: 0, y0: 0, x1: 2, y1: 2, area: 2 },
      { x0: 6, y0: 0, x1: 8, y1: 1, area: 2 },
      { x0: 2, y0: 3, x1: 4, y1: 4, area: 2 },
    ]);
  });

  it('joins two strokes that meet further down', () => {
    expect(partsOf(['#...#....', '#...#....', '#####....', '.........'])).toEqual([
      { x0: 0, y0: 0, x1: 5, y1: 3, area: 9 },
    ]);
  });

  it('finds nothing on blank paper', () => {
    expect(partsOf(['....', '....'])).toEqual([]);
  });
});
