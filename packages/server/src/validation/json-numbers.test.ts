import { array, assert, bigInt, constantFrom, double, property } from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

const refusedPlaces = (text: string): unknown => {
  const parsed = parseJson(text, ['body']);
  return 'details' in parsed ? parsed.details.map(({ loc }) => loc) : parsed.value;
};

test.each([
  '9007199254740993',
  '1546130668394913822',
  '1e400',
  '-1E+400',
  '1e-400',
  '18446744073709551616',
  '9007199254740993.5',
  '9007199254740993.0',
  `1${'0'.repeat(400)}`,
])('%s is refused at its place', (number) => {
  expect(refusedPlaces(`{"a": [1, {"ticketId": ${number}}], "b": 2}`)).toEqual([['body', 'a', 1, 'ticketId']]);
});

test.each([
  '9007199254740992',
  '9007199254740994',
  '-9007199254740991',
  '0.1',
  '1.0',
  '1.50',
  '1e23',
  '1e+308',
  '5e-324',
  '0e999',
  '-0',
  '0.10000000000000000555',
  '3.141592653589793238',
  '1546130668394913800',
])('%s is kept', (number) => {
  expect(refusedPlaces(`[${number}]`)).toEqual([Number(number)]);
});

test('names the number, cut, and the way out', () => {
  expect(parseJson(`{"id": 1${'2'.repeat(60)}}`, ['body', 'metadata'])).toEqual({
    details: [
      {
        loc: ['body', 'metadata', 'id'],
        msg: `Value error, the number 1${'2'.repeat(39)}… cannot be kept exactly; send it as a text`,
        type: 'value_error',
        ctx: { error: `the number 1${'2'.repeat(39)}… cannot be kept exactly; send it as a text` },
      },
    ],
  });
});

test('digits in names and texts are no numbers', () => {
  const value = { '9007199254740993': '1e400', '"': ['9007199254740993', '\\"'], '': { b: 1 } };
  expect(refusedPlaces(JSON.stringify(value))).toEqual(value);
  expect(refusedPlaces(String.raw`{"\"a\\": [[], {}, "x", [9007199254740993]], "": 1e999}`)).toEqual([
    ['body', '"a\\', 3, 0],
    ['body', ''],
  ]);
});

test('what JavaScript writes is always kept, what it reads as another integer never', () => {
  assert(
    property(array(double({ noNaN: true, noDefaultInfinity: true })), (numbers) => {
      const text = JSON.stringify(numbers);
      expect(JSON.stringify(refusedPlaces(text))).toBe(text);
    }),
  );
  assert(
    property(bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), constantFrom('', '.0', 'e0'), (integer, ending) => {
      const kept = BigInt(Number(integer)) === integer && String(Number(integer)) === String(integer);
      expect(refusedPlaces(`[${integer}${ending}]`)).toEqual(kept ? [Number(integer)] : [['body', 0]]);
    }),
  );
});

test('a number of nine million digits is refused in linear time', () => {
  expect(refusedPlaces(`[1${'0'.repeat(9_000_000)}1]`)).toEqual([['body', 0]]);
});
