import type { Block } from '@quire/blocks/block';
import { expect, test } from 'vitest';
import { read, textParts, wholeRange } from './document-text.ts';
import { countJson } from './token-budget.ts';

const paragraph = (id: number): Block => ({ id: String(id), type: 'paragraph', text: `Heron ${id}` });

test('a reading of many short parts stays within its tokens', () => {
  const blocks = Array.from({ length: 2_000 }, (_, index) => paragraph(index));
  const parts = textParts({ version: 1, title: null, language: null, pageCount: null, warnings: [], blocks });
  const range = wholeRange(parts);
  const texts: string[] = [];
  for (let from: typeof range.from | null = range.from; from !== null;) {
    const { text, next } = read(parts, { ...range, from }, 500);
    expect(countJson(text)).toBeLessThanOrEqual(500);
    texts.push(text);
    from = next;
  }
  expect(texts.join('')).toBe(blocks.map(({ text }) => text).join('\n\n'));
});
