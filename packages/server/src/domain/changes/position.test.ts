import { expect, test } from 'vitest';
import { readPosition, writePosition } from './position.ts';

test('a position is read as it was written', () => {
  for (const position of [
    { from: '812:820:812,815', window: null, takenMs: 1_790_000_000_000 },
    { from: '812:812:', window: { upto: '820:824:821', after: '9007199254740993' }, takenMs: 0 },
  ]) {
    expect(readPosition(writePosition(position))).toEqual(position);
  }
});

test('a text that is not a position is refused', () => {
  for (const text of [
    '',
    'x',
    'x~1:2',
    '1~1:2:~',
    '1~1:2:~3:4:~-1',
    '1~1:2:~3:4:~5~6',
    `1~1:2:${'3,'.repeat(6_000)}4`,
    "1~1:2:';--",
  ]) {
    expect([text, readPosition(text)]).toEqual([text, undefined]);
  }
});
