import { describe, expect, it } from 'vitest';
import { findLineRegions, type ProbabilityMap } from './line-regions.ts';
import { rowsOfLines } from './order-lines.ts';

const [WIDTH, HEIGHT] = [200, 60];

/** Draws bars of text: left edge, width, height, and the top edge of each column. */
function map(bars: { x: number; width: number; height: number; top: (x: number) => number }[], level = 0.9) {
  const values = new Float32Array(WIDTH * HEIGHT);
  for (const { x, width, height, top } of bars) {
    for (let column = x; column < x + width; column += 1) {
      for (let row = 0; row < height; row += 1) values[(Math.round(top(column)) + row) * WIDTH + column] = level;
    }
  }
  return { values, width: WIDTH, height: HEIGHT } satisfies ProbabilityMap;
}

describe('findLineRegions', () => {
  it('returns one region for each connected bar, grown by 1.6 times its area over its perimeter', () => {
    const regions = findLineRegions(map([{ x: 20, width: 100, height: 10, top: () => 15 }]));
    // 1.6 · 1000 / 220 = 7.27
    expect(
      regions.map(({ x, y, width, height, slope }) => [x, y, width, height, slope].map((n) => +n.toFixed(2))),
    ).toEqual([[12.73, 20, 114.55, 24.55, 0]]);
  });

  it('measures the slope of a line', () => {
    const [region] = findLineRegions(map([{ x: 10, width: 180, height: 8, top: (x) => 10 + 0.1 * (x - 10) }]));
    expect(region?.slope).toBeCloseTo(0.1, 2);
  });

  it('ignores specks and regions of low probability', () => {
    expect(findLineRegions(map([{ x: 20, width: 2, height: 2, top: () => 15 }]))).toEqual([]);
    expect(findLineRegions(map([{ x: 20, width: 100, height: 10, top: () => 15 }], 0.4))).toEqual([]);
  });
});

describe('rowsOfLines', () => {
  it('joins lines at one height, which follows the slope, and sorts them from left to right', () => {
    const line = (x: number, y: number) => ({ x, y, width: 50, height: 20, slope: 0.1 });
    const [a, b, c] = [line(100, 20), line(0, 12), line(0, 50)];
    expect(rowsOfLines([c, a, b])).toEqual([[b, a], [c]]);
  });
});
