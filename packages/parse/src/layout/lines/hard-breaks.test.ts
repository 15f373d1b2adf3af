import { expect, it } from 'vitest';
import { partsOf } from './hard-breaks.ts';
import { lineOf, type Line } from './line.ts';

const SIZE = 10;
const WIDTH = 5;
const style = { name: 'Serif', bold: false, italic: false, monospace: false };

/** Returns lines of 5 points a character; `ends` are their right edges, `gaps` the distances of their baselines. */
function lines(texts: readonly string[], ends: readonly number[], gaps: readonly number[] = []): Line[] {
  let baseline = 0;
  return texts.map((text, index) => {
    baseline += gaps[index - 1] ?? 12;
    const [first = ''] = text.split(' ');
    const common = { y0: baseline - SIZE, y1: baseline, baseline, size: SIZE, em: SIZE, style, glued: false, angle: 0 };
    return lineOf(
      [
        { ...common, text: first, x0: 0, x1: first.length * WIDTH },
        { ...common, text: text.slice(first.length + 1), x0: first.length * WIDTH + 5, x1: ends[index] ?? 300 },
      ],
      index,
    );
  });
}

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index} and more`);
const around = { spacing: 1.2, right: 300 };

it.each<[string, Line[], number[]]>([
  ['justified text', lines(words(5), [300, 300, 300, 300, 90]), [0]],
  ['ragged text', lines(words(5), [270, 290, 265, 300, 90]), [0]],
  ['a short line within justified text', lines(words(6), [300, 300, 120, 300, 300, 90]), [0, 3]],
  ['items, one of them of two lines', lines(words(5), [120, 180, 300, 140, 90]), [0, 1, 2, 4]],
  ['text beside a picture', lines(words(7), [180, 180, 180, 300, 300, 300, 90]), [0]],
  [
    'a short line before a long word',
    lines(['a b', 'c d', `${'x'.repeat(50)} e`, 'f g', 'h i'], [300, 120, 300, 300, 300]),
    [0],
  ],
  ['widely spaced items', lines(words(3), [120, 290, 300], [20, 20]), [0, 1, 2]],
  ['widely spaced text', lines(words(4), [300, 295, 300, 90], [20, 20, 20]), [0]],
  ['a paragraph below a gap', lines(words(2), [120, 110], [20]), [0, 1]],
])('divides %s', (_, given, starts) => {
  expect(partsOf(given, around)).toEqual(starts);
});

it('does not divide titles, listings and centred lines', () => {
  const list = lines(words(4), [120, 300, 140, 90]);
  expect(partsOf(list, around)).not.toEqual([0]);
  for (const look of ['bold', 'monospace'] as const) {
    expect(
      partsOf(
        list.map((line) => ({ ...line, [look]: true })),
        around,
      ),
    ).toEqual([0]);
  }
  const centred = list.map((line) => ({ ...line, x0: 150 - line.x1 / 2, x1: 150 + line.x1 / 2 }));
  expect(partsOf(centred, around)).toEqual([0]);
});
