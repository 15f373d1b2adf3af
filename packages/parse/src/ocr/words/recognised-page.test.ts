import { describe, expect, it } from 'vitest';
import type { GreyPicture } from '../image/grey-picture.ts';
import type { OcrWord } from '../engines/ocr-engine.ts';
import type { RecognisedPicture } from '../ocr.ts';
import { recognisedPage } from './recognised-page.ts';
import { blocksOfPictures } from '../testing/blocks-of-pictures.ts';

interface LineSpec {
  text: string;
  x?: number;
  y: number;
  size?: number;
  block?: number;
}

const blank = (): GreyPicture => ({ pixels: Buffer.alloc(1000 * 1400, 255), width: 1000, height: 1400 });

/** Builds a picture whose letters are half an em wide and as high as in print; `y` is the baseline. */
function picture(lines: readonly LineSpec[], extra: Partial<RecognisedPicture> = {}): RecognisedPicture {
  const words = lines.flatMap(({ text, x = 100, y, size = 20, block = 0 }, line): OcrWord[] =>
    [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
      const left = x + (index * size) / 2;
      const top = y - (/[A-Z\dbdfhiklt]/.test(word) ? 0.7 : 0.5) * size;
      const bottom = y + (/[gjpqy,]/.test(word) ? 0.21 : 0) * size;
      const bbox = [left, top, left + (word.length * size) / 2, bottom] as const;
      return { text: word, bbox, confidence: 0.9, block, line };
    }),
  );
  const base = { words, grey: blank(), width: 1000, height: 1400, skew: 0, tilt: 0, turn: 0, isPage: false } as const;
  return { ...base, recognition: { confidence: 0.9 }, ...extra };
}

const texts = (recognised: RecognisedPicture): string[] =>
  blocksOfPictures([recognised]).map((block) => `${block.type}: ${block.text ?? ''}`);

describe('recognisedPage', () => {
  it('returns words on the baseline of their line, with any letters', () => {
    const { words } = recognisedPage(picture([{ text: 'gay axe moon', y: 100 }]), 1);
    expect(new Set(words.map((word) => word.baseline)).size).toBe(1);
    expect(words.map((word) => Math.round(word.size))).toEqual([11, 11, 11]);
  });

  it('joins the lines of a paragraph and starts a new one after a wider gap', () => {
    const recognised = picture([
      { text: 'The first line of words', y: 100 },
      { text: 'goes on in the second.', y: 126 },
      { text: 'After a gap there is more,', y: 200 },
      { text: 'which is another matter.', y: 226 },
    ]);
    expect(texts(recognised)).toEqual([
      'paragraph: The first line of words goes on in the second.',
      'paragraph: After a gap there is more, which is another matter.',
    ]);
  });

  it('detects a short line in larger letters as a heading', () => {
    const body = ['some words of body text', 'and more of the same', 'to fill a small page'];
    const recognised = picture([
      { text: 'Annual Report', y: 60, size: 40, block: 0 },
      ...body.map((text, index) => ({ text, y: 140 + index * 26, block: 1 })),
    ]);
    expect(texts(recognised)).toEqual([
      'heading: Annual Report',
      'paragraph: some words of body text and more of the same to fill a small page',
    ]);
  });

  it('detects a table in words aligned in columns', () => {
    const recognised = picture([
      { text: 'Item          Price     Count', y: 300 },
      { text: 'Bread         1.20      4', y: 330 },
      { text: 'Butter        3.10      2', y: 360 },
      { text: 'Milk          0.90      7', y: 390 },
    ]);
    const [table, ...rest] = blocksOfPictures([recognised]);
    expect(rest).toEqual([]);
    expect(table?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([
      ['Item', 'Price', 'Count'],
      ['Bread', '1.20', '4'],
      ['Butter', '3.10', '2'],
      ['Milk', '0.90', '7'],
    ]);
    expect(table?.rows?.map((row) => row[0]?.header)).toEqual([true, false, false, false]);
  });

  it('finds the rules of a drawn table and the words in its cells', () => {
    const grey = blank();
    const draw = (x0: number, y0: number, x1: number, y1: number): void => {
      for (let y = y0; y < y1; y += 1) grey.pixels.fill(0, y * 1000 + x0, y * 1000 + x1);
    };
    for (const y of [80, 130, 180]) draw(90, y, 692, y + 2);
    for (const x of [90, 390, 690]) draw(x, 80, x + 2, 182);
    const recognised = picture(
      [
        { text: 'Name of the thing', y: 110 },
        { text: 'Where it stands', x: 400, y: 110, block: 1 },
        { text: 'Ladder', y: 160, block: 2 },
        { text: 'Shed', x: 400, y: 160, block: 3 },
      ],
      { grey },
    );
    expect(recognisedPage(recognised, 1).rules).toHaveLength(6);
    expect(
      blocksOfPictures([recognised]).map((block) => block.rows?.map((row) => row.map(({ text }) => text))),
    ).toEqual([
      [
        ['Name of the thing', 'Where it stands'],
        ['Ladder', 'Shed'],
      ],
    ]);
  });

  it('corrects skew too small to rotate the picture', () => {
    const tilt = 0.6;
    const slope = Math.tan((tilt * Math.PI) / 180);
    const sloping = picture([{ text: 'a line that falls towards the right end of the page', y: 500 }]);
    const words = sloping.words.map((word) => {
      const shift = -((word.bbox[0] + word.bbox[2]) / 2) * slope;
      const [x0, y0, x1, y1] = word.bbox;
      return { ...word, bbox: [x0, y0 + shift, x1, y1 + shift] as const };
    });
    const page = recognisedPage({ ...sloping, words, tilt }, 1);
    const tops = page.words.map((word) => word.baseline);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(0.2);
  });

  it('returns boxes on the displayed page, in 0..1', () => {
    const line = [{ text: 'Abcdefhikl', x: 100, y: 700, size: 20 }];
    const box = (extra: Partial<RecognisedPicture>) => blocksOfPictures([picture(line, extra)])[0]?.bbox;
    expect(box({})).toEqual([0.1, 0.49, 0.2, 0.5]);
    expect(box({ turn: 1 })).toEqual([0.49, 0.8, 0.5, 0.9]);
    expect(box({ turn: 2 })).toEqual([0.8, 0.5, 0.9, 0.51]);
    expect(box({ turn: 3 })).toEqual([0.5, 0.1, 0.51, 0.2]);
  });

  it('returns nothing for no words', () => {
    expect(blocksOfPictures([picture([])])).toEqual([]);
  });

  it('keeps the centred header of a receipt out of its table', () => {
    const items = ['Green tea', 'Plain rice', 'Soup bowl'].flatMap((text, index) => [
      { text, x: 100, y: 200 + index * 26 },
      { text: `${index + 3}.50`, x: 600, y: 200 + index * 26 },
    ]);
    const recognised = picture([
      { text: 'Corner House Ltd', x: 290, y: 122 },
      { text: '12 Mill Lane', x: 310, y: 148 },
      { text: 'Invoice', x: 340, y: 174 },
      ...items,
    ]);
    const tables = blocksOfPictures([recognised]).filter((block) => block.type === 'table');
    expect(tables.map((table) => table.rows?.map((row) => row.map((cell) => cell.text)))).toEqual([
      [
        ['Green tea', '3.50'],
        ['Plain rice', '4.50'],
        ['Soup bowl', '5.50'],
      ],
    ]);
  });
});
