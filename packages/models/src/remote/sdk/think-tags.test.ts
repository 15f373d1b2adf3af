import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ThinkTags, type Piece } from './think-tags.ts';

function split(...parts: readonly string[]): Piece[] {
  const tags = new ThinkTags();
  const pieces = [...parts.flatMap((part) => tags.push(part)), ...tags.end()];
  return pieces.reduce<Piece[]>((merged, piece) => {
    const last = merged.at(-1);
    if (last?.type === piece.type) last.text += piece.text;
    else merged.push({ ...piece });
    return merged;
  }, []);
}

test.each<[string, Piece[]]>([
  ['May.', [{ type: 'text', text: 'May.' }]],
  ['  May.', [{ type: 'text', text: '  May.' }]],
  [
    '<think>Hm.</think>\n\nMay.',
    [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'May.' },
    ],
  ],
  [
    '\n<think>\n</think>May.',
    [
      { type: 'reasoning', text: '\n' },
      { type: 'text', text: 'May.' },
    ],
  ],
  ['<think></think>May.', [{ type: 'text', text: 'May.' }]],
  ['<think>never closed', [{ type: 'reasoning', text: 'never closed' }]],
  ['<thin', [{ type: 'text', text: '<thin' }]],
  ['The tag is <think>x</think>.', [{ type: 'text', text: 'The tag is <think>x</think>.' }]],
  [
    '<think>a</think>b<think>c</think>',
    [
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'b<think>c</think>' },
    ],
  ],
])('%j is split into reasoning and text', (text, pieces) => {
  expect(split(text)).toEqual(pieces);
});

test('the result does not depend on where the text is cut', () => {
  const word = fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', '\n', 'May', 'é');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(3), { maxLength: 40 }), (words, sizes) => {
      const text = words.join('');
      const parts: string[] = [];
      let at = 0;
      for (const size of sizes) parts.push(text.slice(at, (at += size)));
      parts.push(text.slice(at));
      expect(split(...parts)).toEqual(split(text));
    }),
  );
});

test('text is passed on as it arrives', () => {
  const tags = new ThinkTags();
  expect(tags.push('Ma')).toEqual([{ type: 'text', text: 'Ma' }]);
  expect(tags.push('y <')).toEqual([{ type: 'text', text: 'y <' }]);
});
