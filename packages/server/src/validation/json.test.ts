import { assert, constantFrom, json as anyJson, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8, parseJson } from './json.ts';

/** Offsets and words as Python 3.11's `json` gives them. */
const faults: [text: string, offset: number, error: string][] = [
  ['{', 1, 'Expecting property name enclosed in double quotes'],
  ['{"a"', 4, "Expecting ':' delimiter"],
  ['{"a":', 5, 'Expecting value'],
  ['{"a":1,}', 7, 'Expecting property name enclosed in double quotes'],
  ['[1,]', 3, 'Expecting value'],
  ['[1 2]', 3, "Expecting ',' delimiter"],
  ["{'a':1}", 1, 'Expecting property name enclosed in double quotes'],
  ['nul', 0, 'Expecting value'],
  ['{"a":1}x', 7, 'Extra data'],
  ['01', 1, 'Extra data'],
  ['{"a":"\u0001"}', 6, 'Invalid control character at'],
  ['{"a":"x', 5, 'Unterminated string starting at'],
  ['{"a":"\\q"}', 6, 'Invalid \\escape'],
  ['{"a":"\\u12"}', 7, 'Invalid \\uXXXX escape'],
  ['"\\u', 2, 'Invalid \\uXXXX escape'],
  ['"abc\\', 0, 'Unterminated string starting at'],
  ['   ', 3, 'Expecting value'],
  ['["é", x]', 6, 'Expecting value'],
  ['{"😀": x}', 6, 'Expecting value'],
  ['{"a":01}', 6, "Expecting ',' delimiter"],
  ['{"a":-}', 5, 'Expecting value'],
  ['{"a":[1}', 7, "Expecting ',' delimiter"],
  ['["a",\n\n  b]', 9, 'Expecting value'],
];

test.each(faults)('%j is refused at %i: %s', (text, offset, error) => {
  expect(parseJson(text, ['body'])).toEqual({
    details: [{ loc: ['body', offset], msg: 'JSON decode error', type: 'json_invalid', ctx: { error } }],
  });
});

test('what JSON.parse refuses is always located inside the text', () => {
  assert(
    property(anyJson(), nat(), constantFrom('', ',', '"', '}', ']', 'x', '\\', '\u0001'), (json, at, noise) => {
      const cut = at % (json.length + 1);
      const text = json.slice(0, cut) + noise;
      const parsed = parseJson(text, ['body']);
      if ('value' in parsed) expect(parsed.value).toEqual(JSON.parse(text));
      else expect(parsed.details[0]?.loc[1]).toBeLessThanOrEqual(text.length);
    }),
  );
});

test('a body of nothing but opening brackets is refused without exhausting the stack', () => {
  expect(parseJson('['.repeat(2_000_000), ['body'])).toMatchObject({ details: [{ type: 'json_invalid' }] });
  expect(parseJson(`${'['.repeat(300)}"é"${']'.repeat(300)}`, ['body'])).toEqual({
    details: [
      {
        loc: ['body', 200],
        msg: 'JSON decode error',
        type: 'json_invalid',
        ctx: { error: 'nested more than 200 levels deep', limit: 200 },
      },
    ],
  });
  expect(parseJson(`"${'['.repeat(300)}"`, ['body'])).toEqual({ value: '['.repeat(300) });
});

test('a string of nine million characters, with escapes at its end, is read', () => {
  const text = `${'x'.repeat(9_000_000)}\\\\"[[`;
  expect(parseJson(JSON.stringify([text]), ['body'])).toEqual({ value: [text] });
});

test('a body of more than a hundred thousand values is refused', () => {
  expect(parseJson(JSON.stringify(Array.from({ length: 99_998 }, () => ',')), ['body'])).toHaveProperty('value');
  expect(parseJson(JSON.stringify(Array.from({ length: 100_001 }, () => 1)), ['body', 'metadata'])).toEqual({
    details: [
      {
        loc: ['body', 'metadata'],
        msg: 'Value error, more than 100000 values in one body',
        type: 'value_error',
        ctx: { error: 'more than 100000 values in one body', limit: 100_000 },
      },
    ],
  });
});

test('a byte order mark is skipped, bytes that are not UTF-8 are a bad request', () => {
  expect(decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toBe('{}');
  expect(() => decodeUtf8(Uint8Array.from([0x22, 0xff, 0x22]))).toThrowError('The body is not valid UTF-8');
});
