import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

test.each([
  ['{"a": 1}', { a: 1 }],
  [' [1, 2]\n', [1, 2]],
  ['"only a string"', 'only a string'],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['Here it is:\n\n```\n{"a": [1]}\n```\nAnything else?', { a: [1] }],
  ['First I thought\n```json\n{"a": 0}\n```\nbut no:\n```json\n{"a": 1}\n```', { a: 1 }],
  ['The invoice is {"total": 12.5, "currency": "EUR"}.', { total: 12.5, currency: 'EUR' }],
  ["{'a': 'x', b: True, c: None,}", { a: 'x', b: true, c: null }],
  ['{"a": [1, 2, // two\n 3,]}', { a: [1, 2, 3] }],
  ['{"a": {"b": 1}', { a: { b: 1 } }],
  ['{"quote": "a } in text", "n": 1,}', { quote: 'a } in text', n: 1 }],
])('%j is read as %j', (text, value) => {
  expect(readJson(text)).toEqual({ value });
});

test('text without JSON is undefined, not a string', () => {
  for (const text of ['', '   ', 'I cannot help with that.', 'May 2024', '```\n```']) {
    expect(readJson(text), text).toBeUndefined();
  }
});

test('any JSON is read unchanged, by itself and in a code fence', () => {
  const json = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      const expected = { value: JSON.parse(text) as unknown };
      expect(readJson(text)).toEqual(expected);
      expect(readJson(`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``)).toEqual(expected);
    }),
  );
});
