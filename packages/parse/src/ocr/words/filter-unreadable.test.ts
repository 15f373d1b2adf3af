import { describe, expect, it } from 'vitest';
import type { OcrOrientation, OcrWord } from '../engines/ocr-engine.ts';
import { filterUnreadable } from './filter-unreadable.ts';
import { foreignScript } from '../engines/scripts.ts';

const line = (text: string, at: number, confidence: number): OcrWord[] =>
  text.split(' ').map((word, index) => ({
    text: word,
    bbox: [index * 50, at * 30, index * 50 + 40, at * 30 + 20] as const,
    confidence,
    block: 0,
    line: at,
  }));
const seen = (script: string): OcrOrientation => ({ degrees: 0, confidence: 12, script, scriptConfidence: 1 });
const textOf = (words: readonly OcrWord[]): string => words.map((word) => word.text).join(' ');

describe('readable', () => {
  it('keeps a well-read page in any detected script', () => {
    const words = line('plainly legible words', 0, 0.9);
    expect(filterUnreadable(words, seen('Han'), ['eng'])).toEqual({ words });
  });

  it('keeps only sure lines of a page in an uncovered script, and names the script', () => {
    const words = [
      ...line('MINSHENG SECURITIES', 0, 0.92),
      ...line('Ee ik hnnm rrrt tH koo wm mmnn', 1, 0.3),
      ...line('JLGK REIT', 2, 0.55),
    ];
    const result = filterUnreadable(words, seen('Han'), ['eng', 'deu']);
    expect(textOf(result.words)).toBe('MINSHENG SECURITIES');
    expect(result.foreignScript).toBe('Han');
  });

  it('returns no gibberish for handwriting and drawings', () => {
    const words = [...line('wl Ath gf rr tte', 0, 0.25), ...line('oe', 1, 0.5)];
    const result = filterUnreadable(words, seen('Latin'), ['eng']);
    expect(result.words).toEqual([]);
    expect(result.isUnreadable).toBe(true);
  });

  it('leaves out Greek text of an engine that reads Greek letters only in formulas', () => {
    const words = line('λιενχη κτα να βιβλ', 0, 0.9);
    const result = filterUnreadable(words, null, ['eng'], ['Latin', 'Han']);
    expect([result.words, result.foreignScript]).toEqual([[], 'Greek']);
  });

  it('keeps a poor scan whose words are doubtful but mostly kept', () => {
    const words = [...line('words of a bad copy', 0, 0.55), ...line('which are still words', 1, 0.75)];
    expect(filterUnreadable(words, seen('Latin'), ['eng']).words).toEqual(words);
  });
});

describe('foreignScript', () => {
  it('returns the script if no language covers it', () => {
    expect(foreignScript(seen('Han'), ['eng'], [])).toBe('Han');
    expect(foreignScript(seen('Han'), ['eng', 'chi_sim'], [])).toBeNull();
    expect(foreignScript(seen('Cyrillic'), ['rus'], [])).toBeNull();
    expect(foreignScript(seen('Latin'), ['rus'], [])).toBe('Latin');
    expect(foreignScript(seen('Fraktur'), ['deu'], [])).toBeNull();
    expect(foreignScript(seen('Han'), ['eng'], ['Latin', 'Han'])).toBeNull();
    expect(foreignScript({ ...seen(''), script: '' }, ['eng'], [])).toBeNull();
  });
});
