import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitContent } from './fit-content.ts';

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('content that fits is unchanged', () => {
  const content = { documentId: 'd', name: 'n'.repeat(10_000), error: null };
  expect(fitContent(content)).toBe(content);
});

test('a long text is cut, other fields are kept, and the content is marked as truncated', () => {
  const id = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';
  const fitted = fitContent({ documentId: id, name: 'n', error: { type: 'internal', message: '😀'.repeat(9000) } });
  expect(fitted).toEqual({
    documentId: id,
    name: 'n',
    error: { type: 'internal', message: '😀'.repeat(2000) },
    truncated: true,
  });
});

test('any content ends under 20 kB', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.string({ maxLength: 9000 }), fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 40 }),
    object: fc.dictionary(fc.string({ maxLength: 500 }), tie('any'), { maxKeys: 40 }),
  })).object;
  fc.assert(
    fc.property(value, (content) => sizeOf(fitContent(content)) < 20_000),
    { numRuns: 50 },
  );
});
