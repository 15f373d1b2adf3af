import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashRequest } from './idempotency.ts';

const file = (name: string, sha256: string) => ({ path: '', contentType: null, sizeBytes: 1, name, sha256 });
const hash = (blocks: object, uploads = [file('a', '1')], staged = false): string =>
  hashRequest({ blocks, uploads, staged }).toString('hex');

/** Returns the same JSON with the fields of every object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([name, member]) => [name, reversed(member)]));
};

test('the order of fields and of files, and fields left undefined, make no difference', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (jsonSchema) => {
      const files = [file('a', '1'), file('b', '2')];
      const one = hash({ extractionConfig: { jsonSchema, instructions: undefined } }, files);
      expect(hash(reversed({ extractionConfig: { jsonSchema } }) as object, files.toReversed())).toBe(one);
    }),
  );
});

test('another block, list order, name, content, or staging is another request', () => {
  const hashes = [
    hash({}),
    hash({ parserConfig: {} }),
    hash({ parserConfig: { formats: ['html', 'blocks'] } }),
    hash({ parserConfig: { formats: ['blocks', 'html'] } }),
    hash({}, [file('b', '1')]),
    hash({}, [file('a', '2')]),
    hash({}, []),
    hash({}, [], true),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
