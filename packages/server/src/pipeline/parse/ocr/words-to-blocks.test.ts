import { describe, expect, it } from 'vitest';
import type { OcrWord } from './ocr-engine.ts';
import type { RecognisedPicture } from './ocr.ts';
import { wordsToBlocks } from './words-to-blocks.ts';

interface LineSpec {
  text: string;
  x?: number;
  y: number;
  size?: number;
  block?: number;
}

/** Every letter is half as wide as the line is high; two spaces or more make a gap of that many letters. */
function picture(lines: readonly LineSpec[], extra: Partial<RecognisedPicture> = {}): RecognisedPicture {
  const words = lines.flatMap(({ text, x = 100, y, size = 20, block = 0 }, line): OcrWord[] =>
    [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
      const left = x + (index * size) / 2;
      const bbox = [left, y, left + (word.length * size) / 2, y + size] as const;
      return { text: word, bbox, confidence: 0.9, block, line };
    }),
  );
  return { words, width: 1000, height: 1000, skew: 0, turn: 0, ...extra };
}

const texts = (recognised: RecognisedPicture): string[] =>
  wordsToBlocks(recognised, 1).map((block) => `${block.type}: ${block.text ?? ''}`);

describe('wordsToBlocks', () => {
  it('joins the lines of a paragraph and starts another after a wider gap', () => {
    const recognised = picture([
      { text: 'The first line of words', y: 100 },
      { text: 'goes on in the second.', y: 130 },
      { text: 'After a gap there is more,', y: 200 },
      { text: 'which is another matter.', y: 230 },
    ]);
    expect(texts(recognised)).toEqual([
      'paragraph: The first line of words goes on in the second.',
      'paragraph: After a gap there is more, which is another matter.',
    ]);
  });

  it('mends words that are divided at the end of a line, and keeps other hyphens', () => {
    const recognised = picture([
      { text: 'A very impor-', y: 100 },
      { text: 'tant and well-', y: 130 },
      { text: 'Known thing', y: 160 },
    ]);
    expect(texts(recognised)).toEqual(['paragraph: A very important and well- Known thing']);
  });

  it('takes a short line in larger letters for a heading', () => {
    const body = ['some words of body text', 'and more of the same', 'to fill a small page'];
    const recognised = picture([
      { text: 'Annual Report', y: 40, size: 40, block: 0 },
      ...body.map((text, index) => ({ text, y: 140 + index * 30, block: 1 })),
    ]);
    expect(texts(recognised)).toEqual([
      'heading: Annual Report',
      'paragraph: some words of body text and more of the same to fill a small page',
    ]);
    expect(wordsToBlocks(recognised, 1)[0]?.level).toBe(1);
  });

  it('makes a list of neighbouring items and keeps the first number', () => {
    const recognised = picture([
      { text: '3. Bread', y: 100 },
      { text: '4. Butter', y: 130 },
    ]);
    const [list] = wordsToBlocks(recognised, 1);
    expect([list?.type, list?.ordered, list?.start]).toEqual(['list', true, 3]);
    expect(list?.children?.map((item) => item.text)).toEqual(['Bread', 'Butter']);
  });

  it('makes a table of words in columns, with wrapped cells and a header', () => {
    const recognised = picture([
      { text: 'Item          Price     Count', y: 100 },
      { text: 'Bread         1.20      4', y: 140 },
      { text: 'from rye', y: 162 },
      { text: 'Butter        3.10      2', y: 200 },
      { text: 'Milk          0.90      7', y: 240 },
    ]);
    const [table, ...rest] = wordsToBlocks(recognised, 1);
    expect(rest).toEqual([]);
    expect(table?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([
      ['Item', 'Price', 'Count'],
      ['Bread from rye', '1.20', '4'],
      ['Butter', '3.10', '2'],
      ['Milk', '0.90', '7'],
    ]);
    expect(table?.rows?.map((row) => row[0]?.header)).toEqual([true, false, false, false]);
  });

  it('does not take two columns of prose for a table', () => {
    const column = (x: number, block: number): LineSpec[] =>
      Array.from({ length: 6 }, (_, index) => ({
        text: 'words that fill this whole line',
        x,
        y: 100 + index * 30,
        block,
      }));
    const recognised = picture([...column(50, 0), ...column(500, 1)]);
    expect(wordsToBlocks(recognised, 1).map((block) => block.type)).toEqual(['paragraph', 'paragraph']);
  });

  it('gives boxes for the page as it is shown, in 0..1', () => {
    const line = [{ text: 'abcdefghij', x: 100, y: 200 }];
    const box = (extra: Partial<RecognisedPicture>) => wordsToBlocks(picture(line, extra), 1)[0]?.bbox;
    expect(box({})).toEqual([0.1, 0.2, 0.2, 0.22]);
    expect(box({ turn: 1 })).toEqual([0.2, 0.8, 0.22, 0.9]);
    expect(box({ turn: 2 })).toEqual([0.8, 0.78, 0.9, 0.8]);
    expect(box({ turn: 3 })).toEqual([0.78, 0.1, 0.8, 0.2]);
  });

  it('gives nothing for no words', () => {
    expect(wordsToBlocks(picture([]), 1)).toEqual([]);
  });
});
