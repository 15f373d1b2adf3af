/** Splits strings of a font into glyphs and returns the advance of each. Every glyph position depends on it. */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFStream, StandardFontEmbedder } from '@cantoo/pdf-lib';
import { textDecoder } from '@quire/parse/encoding/text-decoder';
import { codeReader, type CodeReader } from './character-codes.ts';
import { arrayAt, dictAt, nameAt, numberAt, numbersOf } from '../objects/pdf-objects.ts';
import { decodedBytes } from '../objects/stream-bytes.ts';

export interface FontMetrics {
  codes: CodeReader;
  /**
   * Advance of a character code in text space at size 1: to the right, or downwards (negative) for vertical writing.
   */
  advance(code: number, bytes: number): number;
  vertical: boolean;
}

const THOUSAND = 1000;

export function fontMetrics(font: PDFDict | undefined): FontMetrics {
  if (nameAt(font, 'Subtype') === 'Type0') return compositeMetrics(font);
  const widths = numbersOf(arrayAt(font, 'Widths'));
  const first = numberAt(font, 'FirstChar') ?? 0;
  const scale = nameAt(font, 'Subtype') === 'Type3' ? (numbersOf(arrayAt(font, 'FontMatrix'))[0] ?? 0.001) : 0.001;
  const missing = numberAt(dictAt(font, 'FontDescriptor'), 'MissingWidth') ?? 0;
  const standard = widths.length === 0 ? standardWidths(nameAt(font, 'BaseFont') ?? '') : undefined;
  return {
    codes: (bytes) => Array.from(bytes, (code) => ({ code, bytes: 1 })),
    advance: (code) => (standard === undefined ? (widths[code - first] ?? missing) * scale : standard(code)),
    vertical: false,
  };
}

/** Returns widths for the standard fonts, with codes read as windows-1252. */
function standardWidths(baseFont: string): (code: number) => number {
  const bold = /bold|black|heavy/i.test(baseFont);
  const slanted = /italic|oblique/i.test(baseFont);
  const family = /cour|mono|consol/i.test(baseFont)
    ? 'Courier'
    : /times|serif|roman|georgia/i.test(baseFont)
      ? 'Times'
      : 'Helvetica';
  const slant = family === 'Times' ? 'Italic' : 'Oblique';
  const style = `${bold ? 'Bold' : ''}${slanted ? slant : ''}`;
  const plain = family === 'Times' ? 'Times-Roman' : family;
  const name = /symbol/i.test(baseFont) ? 'Symbol' : style === '' ? plain : `${family}-${style}`;
  // The names are the values of an enumeration that pdf-lib does not export.
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
  const embedder = StandardFontEmbedder.for(name as Parameters<typeof StandardFontEmbedder.for>[0]);
  return (code) => {
    try {
      const letter = textDecoder('windows-1252').decode(Uint8Array.of(code));
      return embedder.widthOfTextAtSize(letter, 1);
    } catch {
      return family === 'Courier' ? 0.6 : 0.5;
    }
  };
}

function compositeMetrics(font: PDFDict | undefined): FontMetrics {
  const descendants = arrayAt(font, 'DescendantFonts');
  const descendant = descendants?.lookup(0);
  const dict = descendant instanceof PDFDict ? descendant : undefined;
  const encoding = font?.lookup(PDFName.of('Encoding'));
  const name = encoding instanceof PDFName ? encoding.decodeText() : nameAt(dictAt(font, 'Encoding'), 'CMapName');
  const map = encoding instanceof PDFStream ? Buffer.from(decodedBytes(encoding) ?? []).toString('latin1') : undefined;
  const vertical = name?.endsWith('-V') === true || name === 'V' || /\/WMode\s+1\b/.test(map ?? '');
  const { codes, cid } = codeReader(name ?? 'Identity-H', map);
  const across = widthTable(arrayAt(dict, 'W'), 1);
  const down = widthTable(arrayAt(dict, 'W2'), 3);
  const defaultWidth = numberAt(dict, 'DW') ?? THOUSAND;
  const defaultDown = numbersOf(arrayAt(dict, 'DW2'))[1] ?? -THOUSAND;
  return {
    codes,
    vertical,
    advance: (code, bytes) => {
      const glyph = cid(code);
      if (vertical) return (glyph === undefined ? defaultDown : (down.get(glyph) ?? defaultDown)) / THOUSAND;
      // In East Asian character sets whose tables are not available, glyphs of one-byte codes are half as wide.
      if (glyph === undefined) return (bytes === 1 ? THOUSAND / 2 : defaultWidth) / THOUSAND;
      return (across.get(glyph) ?? defaultWidth) / THOUSAND;
    },
  };
}

const MAX_RANGE = 70_000;

/** Reads `c [w w …]` and `c c w` into widths by glyph. Only the first number of a tuple is used, the advance. */
function widthTable(array: PDFArray | undefined, tuple: 1 | 3): Map<number, number> {
  const table = new Map<number, number>();
  const size = array?.size() ?? 0;
  for (let at = 0; at < size;) {
    const first = numberIn(array, at);
    const second = array?.lookup(at + 1);
    if (second instanceof PDFArray) {
      const widths = numbersOf(second);
      for (let index = 0; index * tuple < widths.length; index += 1)
        table.set(first + index, widths[index * tuple] ?? 0);
      at += 2;
    } else {
      const last = Math.min(numberIn(array, at + 1), first + MAX_RANGE);
      for (let glyph = first; glyph <= last; glyph += 1) table.set(glyph, numberIn(array, at + 2));
      at += 2 + tuple;
    }
  }
  return table;
}

function numberIn(array: PDFArray | undefined, at: number): number {
  const value = array !== undefined && at < array.size() ? array.lookup(at) : undefined;
  return value instanceof PDFNumber ? value.asNumber() : 0;
}
