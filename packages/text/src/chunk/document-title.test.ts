import { describe, expect, it } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { documentTitle } from './document-title.ts';

const titleOf = (blocks: BlockDraft[], title: string | null = null): string | null =>
  documentTitle(finishTree({ blocks, pageCount: null, title, warnings: [] }, 'en'));
const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text });

describe('documentTitle', () => {
  it('prefers the title that the file states', () => {
    expect(titleOf([{ type: 'heading', level: 1, text: 'Part one' }], 'Annual report')).toBe('Annual report');
  });

  it('takes a heading at the start, also below a line', () => {
    expect(titleOf([paragraph('Confidential. Do not share.'), { type: 'heading', level: 2, text: 'Lease' }])).toBe(
      'Lease',
    );
  });

  it('takes a short first line without a final mark', () => {
    expect(titleOf([paragraph('THE BOEING COMPANY\nForm 10-K'), paragraph('This report …')])).toBe(
      'THE BOEING COMPANY',
    );
  });

  it('takes no title from a document of one line, which has nothing below it to name', () => {
    expect(titleOf([paragraph('measurement of dielectric constants by microwaves')])).toBe(null);
    expect(titleOf([paragraph('Dielectric constants\nThey are measured by microwaves.')])).toBe('Dielectric constants');
  });

  it.each([
    ['Ada Lovelace (1815–1852) was an English mathematician.', 'Ada Lovelace'],
    ['The Bank of England is the central bank of the United Kingdom.', 'Bank of England'],
    ['Ed Wood is a 1994 American film.', 'Ed Wood'],
    ['Die Alte Mainbrücke ist eine Brücke.', 'Alte Mainbrücke'],
  ])('takes the subject of a first sentence: %s', (text, title) => {
    expect(titleOf([paragraph(text)])).toBe(title);
  });

  it.each(['We were late, and nobody came.', 'lower case begins here.', '12.5 % of all.'])(
    'finds none in a first sentence without a name: %s',
    (text) => {
      expect(titleOf([paragraph(text)])).toBe(null);
    },
  );
});
