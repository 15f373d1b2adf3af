import { describe, expect, it } from 'vitest';
import { lineOf, type Line } from '../lines/line.ts';
import type { Rule, Word } from '../page/page-content.ts';
import { findFormulas } from './find-formulas.ts';

interface Look {
  em?: number;
  font?: string;
  italic?: boolean;
}

/** Builds a word on a baseline, half an em per character; variables are italic. */
function word(text: string, x0: number, baseline: number, { em = 10, font = 'Times', italic }: Look = {}): Word {
  const slanted = italic ?? /^[a-z]{1,2}$/i.test(text);
  const style = { name: font, bold: false, italic: slanted, monospace: false };
  const box = { x0, x1: x0 + text.length * 0.5 * em, y0: baseline - em, y1: baseline + 0.25 * em };
  return { ...box, text, baseline, size: 1.25 * em, em, style, glued: false, angle: 0 };
}

const SCRIPT = { em: 7 };
const line = (...words: Word[]): Line => lineOf(words, 0);
const latexOf = (lines: readonly Line[], rules: readonly Rule[] = []): string[] =>
  findFormulas(lines, rules).map((formula) => formula.latex);
const bar = (at: number, from: number, to: number): Rule => ({ horizontal: true, at, from, to });

describe('findFormulas', () => {
  it('converts small shifted text to superscripts and subscripts', () => {
    const drawn = [
      line(word('x', 100, 200), word('i', 105, 202, SCRIPT), word('2', 105, 196, SCRIPT), word('+', 115, 200)),
      line(word('1', 125, 200), word('=', 135, 200), word('π', 145, 200)),
    ];
    expect(latexOf(drawn)).toEqual(['x_{i}^{2} + 1 = \\pi']);
  });

  it('keeps the last line of a paragraph as text, and takes the same line centred as a formula', () => {
    const text = ['Let', 'the', 'boat', 'be', 'adrift', 'and', 'this', 'hold', 'for', 'all'];
    const above = line(...text.map((part, index) => word(part, 100 + index * 34, 200, { italic: false })));
    const last = (x: number): Line => line(word('t', x, 212), word('>', x + 10, 212), word('0', x + 20, 212));
    expect(latexOf([above, last(100)])).toEqual([]);
    expect(latexOf([above, last(240)])).toEqual(['t > 0']);
  });

  it('converts text above and below a bar to a fraction', () => {
    const drawn = [
      line(word('y', 100, 200), word('=', 110, 200)),
      line(word('a', 125, 193), word('+', 133, 193), word('b', 141, 193)),
      line(word('c', 133, 207)),
    ];
    expect(latexOf(drawn, [bar(197, 124, 147)])).toEqual(['y = \\frac{a + b}{c}']);
  });

  it('uses the bar of a root as its extent', () => {
    const drawn = [line(word('y', 100, 200), word('=', 110, 200), word('√', 120, 200)), line(word('z', 126, 200))];
    expect(latexOf(drawn, [bar(191, 125, 132)])).toEqual(['y = \\sqrt{z}']);
  });

  it('assigns limits to their operator', () => {
    const drawn = [
      line(word('s', 100, 200), word('=', 110, 200), word('∑', 125, 202, { em: 14 })),
      line(word('k', 124, 214, SCRIPT), word('=', 128, 214, SCRIPT), word('1', 132, 214, SCRIPT)),
      line(word('n', 127, 187, SCRIPT)),
      line(word('a', 140, 200), word('k', 145, 202, SCRIPT)),
    ];
    expect(latexOf(drawn)).toEqual(['s = \\sum_{k = 1}^{n} a_{k}']);
  });

  it('joins lines that begin with a relation, and keeps the number of the equation', () => {
    const drawn = [
      line(word('a', 100, 200), word('=', 110, 200), word('b', 120, 200), word('+', 130, 200), word('c', 140, 200)),
      line(word('=', 110, 216), word('d', 120, 216), word('.', 126, 216)),
      line(word('(3.1)', 300, 216)),
    ];
    expect(latexOf(drawn)).toEqual(['a = b + c\n= d . \\tag{3.1}']);
  });

  it('writes calligraphic letters and operators by name', () => {
    const drawn = [
      line(word('I', 100, 200, { font: 'CMSY10' }), word('=', 110, 200), word('max', 120, 200)),
      line(word('φ', 140, 200, { font: 'CMMI10' })),
    ];
    expect(latexOf(drawn)).toEqual(['\\mathcal{I} = \\max \\phi']);
  });

  it('ignores formulas within running text', () => {
    const prose = line(word('where', 60, 200), word('the', 90, 200), word('value', 110, 200));
    expect(latexOf([prose, line(word('x', 140, 200), word('=', 150, 200), word('y', 160, 200))])).toEqual([]);
  });

  it.each([
    ['brackets that were opened before', [word('p', 100, 200), word('=', 110, 200), word('0.01)', 120, 200)]],
    ['words', [word('n', 100, 200), word('=', 110, 200), word('41', 120, 200), word('figure', 140, 200)]],
    ['numbers only', [word('40', 100, 200), word('+', 115, 200), word('2', 125, 200), word('=42', 135, 200)]],
    ['signs without a meaning', [word('x', 100, 200), word('=', 110, 200), word('\ue012', 120, 200)]],
  ])('keeps lines with %s as text', (_, words) => {
    expect(latexOf([line(...words)])).toEqual([]);
  });
});
