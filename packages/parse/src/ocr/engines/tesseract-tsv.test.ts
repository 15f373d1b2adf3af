import { describe, expect, it } from 'vitest';
import { parseTesseractTsv } from './tesseract-tsv.ts';

const HEADER = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';

describe('parseTesseractTsv', () => {
  it('reads words with boxes and numbers blocks and lines over the page', () => {
    const rows = [
      HEADER,
      '1\t1\t0\t0\t0\t0\t0\t0\t1024\t800\t-1\t',
      '5\t1\t1\t1\t1\t1\t105\t66\t73\t31\t96.5\tThe',
      '5\t1\t1\t1\t1\t2\t205\t67\t142\t39\t50\t(quick)',
      '5\t1\t2\t1\t1\t1\t10\t300\t40\t20\t90\tfox',
    ];
    expect(parseTesseractTsv(rows.join('\n'))).toEqual([
      { text: 'The', bbox: [105, 66, 178, 97], confidence: 0.965, block: 0, line: 0 },
      { text: '(quick)', bbox: [205, 67, 347, 106], confidence: 0.5, block: 0, line: 0 },
      { text: 'fox', bbox: [10, 300, 50, 320], confidence: 0.9, block: 1, line: 1 },
    ]);
  });

  it('drops words that are blank or have no area', () => {
    const rows = ['5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t95\t ', '5\t1\t1\t1\t1\t2\t0\t0\t0\t9\t95\tx', '5\t1\t1'];
    expect(parseTesseractTsv(rows.join('\n'))).toEqual([]);
  });
});
