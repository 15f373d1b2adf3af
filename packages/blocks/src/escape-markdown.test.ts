import { expect, test } from 'vitest';
import { inlineMarkdown } from './escape-markdown.ts';

const markdown = (text: string): string => inlineMarkdown({ text }, { lineBreak: '\n' });

test('a bare address with characters of Markdown is broken up, any other stays', () => {
  expect(markdown('see https://a.example/x_y and www.b.example/z*')).toBe(
    'see https\\://a.example/x_y and www\\.b.example/z\\*',
  );
  expect(markdown('see https://a.example/x and a *b*')).toBe('see https://a.example/x and a \\*b\\*');
});

test('hundreds of thousands of beginnings of addresses are written in linear time', () => {
  const text = 'http://'.repeat(400_000);
  expect(markdown(text)).toBe(text);
});
