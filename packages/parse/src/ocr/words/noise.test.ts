import { describe, expect, it } from 'vitest';
import { dropNoise } from './noise.ts';
import type { OcrWord } from '../engines/ocr-engine.ts';

/** Parses `text·confidence`, with `^` for a word three times as high. */
const words = (...lines: string[]): OcrWord[] =>
  lines.flatMap((specs, line) =>
    specs.split(' ').map((spec, index): OcrWord => {
      const [text = '', confidence = ''] = spec.replace('^', '').split('·');
      const top = line * 40 - (spec.startsWith('^') ? 40 : 0);
      const bbox = [index * 60, top, index * 60 + 50, line * 40 + 20] as const;
      return { text, bbox, confidence: Number(confidence), block: 0, line };
    }),
  );
const kept = (...lines: string[]): string =>
  dropNoise(words(...lines))
    .map(({ text }) => text)
    .join(' ');

describe('withoutNoise', () => {
  it('keeps doubtful words next to sure words of their height, but not stains', () => {
    expect(kept('Meranti,43300·0.89 Seri·0.97 Kembangan,·0 Selangor·0 |·0.1 ^ee·0')).toBe(
      'Meranti,43300 Seri Kembangan, Selangor',
    );
  });

  it('drops placeholders of unread characters, also next to sure words', () => {
    expect(kept('plainly·0.9 legible·0.9 \u{FFFD}\u{FFFD}\u{FFFD}·0', '\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}·0')).toBe(
      'plainly legible',
    );
  });

  it('keeps a badly printed line with one sure word', () => {
    expect(kept('GST·0.89 Summary·0 Tax·0.1')).toBe('GST Summary Tax');
  });

  it('drops lines of stains, and of drawings with one recognised word', () => {
    expect(kept('plainly·0.9 legible·0.9', 'ee·0.26 Ty·0.1 Pee·0.19')).toBe('plainly legible');
    expect(kept('plainly·0.9', 'the·0.8 opal·0.1 pyrex·0.2 penelle·0.1 llemmrt·0.3')).toBe('plainly');
  });

  it('returns nothing if no word is sure', () => {
    expect(kept('words·0.6 perhaps·0.65')).toBe('');
  });
});
