import { expect, test } from 'vitest';
import { readMarks, writeMarks } from './marks.ts';

test('boxes are read as they were written, to four digits', () => {
  const boxes = [
    { page: 3, bbox: [0.1, 0.2, 0.123456, 1] },
    { page: 12, bbox: [0, 0, 0.5, 0.25] },
  ];
  expect(writeMarks(boxes)).toBe('3:0.1,0.2,0.1235,1;12:0,0,0.5,0.25');
  expect(readMarks(writeMarks(boxes))).toEqual([
    { page: 3, bbox: [0.1, 0.2, 0.1235, 1] },
    { page: 12, bbox: [0, 0, 0.5, 0.25] },
  ]);
});

test('no boxes need no parameter, and what is no box is left out', () => {
  expect(writeMarks([])).toBe(undefined);
  expect(readMarks('x;1:0,0,2,0;2:0,0,1;3:0,0,1,1')).toEqual([{ page: 3, bbox: [0, 0, 1, 1] }]);
});
