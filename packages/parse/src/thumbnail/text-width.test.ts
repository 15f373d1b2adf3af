import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToWidth, isRightToLeft, textWidth, wrapText } from './text-width.ts';

describe('wrapText', () => {
  it('breaks at spaces, and within words that are too wide', () => {
    expect(wrapText('aaa bbb ccc', 10, 40)).toEqual(['aaa bbb', 'ccc']);
    expect(wrapText('aaaaaaaaaa', 10, 30)).toEqual(['aaaaa', 'aaaaa']);
    expect(wrapText('漢字漢字漢', 10, 20)).toEqual(['漢字', '漢字', '漢']);
    expect(wrapText('', 10, 20)).toEqual([]);
  });

  it('measures a line exactly as the sum of its words', () => {
    // In floating-point ems, the first line of this text measures 60.00000000000001.
    expect(wrapText('11mbam11m', 10, 60)).toEqual(['11mbam11m']);
    expect(textWidth('11mbam11m', 10)).toBe(60);
  });

  it('keeps all words and makes no line wider than the limit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 .]{0,80}$/), (text) => {
        const lines = wrapText(text, 10, 60);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(textWidth(line, 10)).toBeLessThanOrEqual(60);
      }),
    );
  });
});

describe('cutToWidth', () => {
  it('marks truncated text', () => {
    expect([cutToWidth('short', 10, 100), cutToWidth('aaaaaaaa', 10, 30)]).toEqual(['short', 'aaaaa…']);
  });
});

describe('isRightToLeft', () => {
  it('decides by the first letter', () => {
    expect(['12 שלום', 'سلام', 'abc שלום', '123'].map(isRightToLeft)).toEqual([true, true, false, false]);
  });
});
