import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, Vocabulary } from './vocabulary.ts';

test('numbers terms in order of arrival and finds them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 300 }), (terms) => {
      const vocabulary = new Vocabulary();
      const numbers = new Map<string, number>();
      for (const term of terms) {
        const bytes = Buffer.from(`<${term}>`);
        const text = Buffer.from(term).toString();
        if (!numbers.has(text)) numbers.set(text, numbers.size);
        expect(vocabulary.intern(bytes, 1, bytes.length - 1, hashOf(Buffer.from(term)))).toBe(numbers.get(text));
      }
      expect(vocabulary.size).toBe(numbers.size);
      for (const [term, number] of numbers) {
        expect(vocabulary.find(term)).toBe(number);
        expect(vocabulary.term(number)).toBe(term);
      }
      expect(vocabulary.find('\u{10ffff} not there')).toBeUndefined();
    }),
  );
});
