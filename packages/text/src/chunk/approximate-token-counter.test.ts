import { describe, expect, it } from 'vitest';
import { approximateTokenCounter } from './approximate-token-counter.ts';

const { count } = approximateTokenCounter;

describe('approximateTokenCounter', () => {
  it('counts words, pieces of long words, numbers and punctuation', () => {
    expect(count('The cat sat.')).toBe(4);
    expect(count('internationalisation')).toBe(5);
    expect(count('1999')).toBe(3);
    expect(count('')).toBe(0);
  });

  it('counts seven tokens for ten ideographs or kana, two for a syllable of Hangul', () => {
    expect(count('中华人民共和国的首都是北京。')).toBe(11);
    expect(count('漢字かな交じり文')).toBe(6);
    expect(count('한국어')).toBe(6);
    expect(count('𠮷野家')).toBe(3);
  });

  it('counts no marks and joiners unless there are very many', () => {
    expect(count('e\u0301a\u0308')).toBe(1);
    expect(count(`Z${'\u0301'.repeat(1004)}`)).toBe(251);
  });
});
