import { expect, it } from 'vitest';
import type { Box } from '../../../layout/geometry.ts';
import type { Word } from '../../../layout/page/page-content.ts';
import type { PageReading } from '../page/read-page.ts';
import { fontStyle, glyphRun, pageGlyphs } from '../testing/glyph-run.ts';
import type { GlyphRun } from './glyphs.ts';
import { textFault } from './text-quality.ts';

const style = fontStyle('Test');

function reading(text: string, images: Box[] = [], run: Partial<GlyphRun> = {}): PageReading {
  const words = text
    .split(' ')
    .filter(Boolean)
    .map((part): Word => ({
      text: part,
      x0: 0,
      y0: 0,
      x1: 9,
      y1: 9,
      baseline: 8,
      size: 9,
      style,
      glued: false,
      angle: 0,
    }));
  const codes = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return {
    content: {
      number: 1,
      width: 600,
      height: 800,
      turn: 0,
      words,
      rules: [],
      fills: [],
      images,
      strokes: [],
      links: [],
      fields: [],
    },
    glyphs: pageGlyphs(codes, glyphRun(run)),
  };
}

const wholePage: Box = { x0: 0, y0: 0, x1: 600, y1: 800 };

it.each([
  ['a page of text', 'Readable text in a plain font', [], undefined],
  ['an empty page', '', [], undefined],
  ['a scan', '', [wholePage], 'missing'],
  ['a scan with a stamped number', 'Page 12', [wholePage], 'missing'],
  ['a poster with a title', 'The title of the poster, printed over a photograph of it', [wholePage], 'partial'],
  ['a scan with its text layer', 'The text layer of a scan. '.repeat(20), [wholePage], undefined],
  ['letters out of order', 'wklv whaw lv pdgh ri ohwwhuv lq wkhlu rzq rughu '.repeat(12), [], 'implausible'],
  ['glyph numbers taken for letters', 'تwفyق نnفcم قbهلm ͩǋƂֻ뻭 Ǌ뻭ƂֻƎ ƏƔ뻔הƂ and some words '.repeat(6), [], 'garbled'],
  ['letters without Unicode values', '\u0001\u0003\u0004\ue123\ue124\ufffd and a few', [], 'garbled'],
] as const)('classifies the text of %s', (_, text, images, fault) => {
  expect(textFault(reading(text, [...images]))).toBe(fault);
});

it.each([
  ['are ASCII', 'gap> IsReadOnlyGlobal("name"); returns true or false, see the manual', undefined],
  ['are moved by three letters', 'jds> LvUhdgRqobJoredo uhwxuqv wuxh ru idovh vhh wkh pdqxdo', 'garbled'],
  ['spell too little', 'x := 17; y := 18;', 'garbled'],
] as const)('classifies the text of a font without Unicode values whose codes %s', (_, text, fault) => {
  expect(textFault(reading(text, [], { unmapped: true }))).toBe(fault);
});
