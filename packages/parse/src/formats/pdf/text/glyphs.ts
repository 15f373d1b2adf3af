/**
 * Reads the characters of a page, in content stream order, into flat arrays. Each character costs four PDFium calls
 * (code, box, origin, text object); everything else is read once per text object or once per font.
 */
import { isExtensionFont } from '../../../layout/formulas/math-words.ts';
import type { FontStyle } from '../../../layout/page/page-content.ts';
import { isSymbolFont } from '../../../structure/symbol-fonts.ts';
import type { Pdfium } from '../pdfium.ts';
import { hasEvenWidths, markMonospace } from './monospace.ts';
import { correctRightToLeft } from './right-to-left.ts';
import { styleOfName, withoutSubset } from './font-names.ts';

/** Characters drawn by one text object; they share font, size and direction. */
export interface GlyphRun {
  style: FontStyle;
  /** Baseline direction in page space: whole degrees, clockwise. */
  angle: number;
  /** Nominal font size in points. */
  em: number;
  /** Whether the text render mode is invisible, as in the text layer of a scan. */
  hidden: boolean;
  /** Whether PDFium has no Unicode value for the run's first character. */
  unmapped: boolean;
  /** Whether the character boxes are ink boxes instead of advance width by font height. */
  hasInkBoxes: boolean;
  /** Whether the font is a symbol font, which may map letters to symbols. */
  symbolic: boolean;
  /** Whether the flag or the widths of the font say that it is monospace; the drawn letters decide. */
  mayBeMonospace: boolean;
  /** Id of the marked content that contains the run; -1 for none. */
  contentId: number;
}

export interface PageGlyphs {
  count: number;
  codes: Uint32Array;
  /** Left, top, right, bottom of each character in page space: advance width by font height. */
  boxes: Float32Array;
  /** x and y of each glyph origin on its baseline, in page space. */
  origins: Float32Array;
  /** Index into `runs`. */
  runOf: Uint32Array;
  runs: GlyphRun[];
}

/** Font properties by PDFium font pointer. The pointers are valid only while the document is open. */
export type FontCache = Map<number, Pick<GlyphRun, 'style' | 'hasInkBoxes' | 'symbolic' | 'mayBeMonospace'>>;

const FIXED_PITCH_FLAG = 1;
const ITALIC_FLAG = 1 << 6;
const BOLD_WEIGHT = 600;
const MODE_STROKED = 2;
const MODE_INVISIBLE = 3;
const LINE_BREAKS = new Set([10, 13]);

/** Reads all characters of a page. `tagged` also reads the marked content id of each run. */
export function readGlyphs(pdfium: Pdfium, page: number, fonts: FontCache, tagged = false): PageGlyphs {
  const textPage = pdfium.api.FPDFText_LoadPage(page);
  if (textPage === 0) return emptyGlyphs();
  try {
    return collect(pdfium, textPage, fonts, tagged);
  } finally {
    pdfium.api.FPDFText_ClosePage(textPage);
  }
}

function emptyGlyphs(count = 0): PageGlyphs {
  return {
    count,
    codes: new Uint32Array(count),
    boxes: new Float32Array(count * 4),
    origins: new Float32Array(count * 2),
    runOf: new Uint32Array(count),
    runs: [],
  };
}

function collect(pdfium: Pdfium, textPage: number, fonts: FontCache, tagged: boolean): PageGlyphs {
  const { api, raw, scratch } = pdfium;
  const glyphs = emptyGlyphs(Math.max(0, api.FPDFText_CountChars(textPage)));
  const runIndex = new Map<number, number>();
  let lastObject = -1;
  let run = 0;
  for (let i = 0; i < glyphs.count; i++) {
    const code = raw.FPDFText_GetUnicode(textPage, i);
    glyphs.codes[i] = code;
    if (LINE_BREAKS.has(code)) continue;
    const object = raw.FPDFText_GetTextObject(textPage, i);
    if (object !== lastObject) {
      lastObject = object;
      run = runIndex.get(object) ?? glyphs.runs.length;
      if (run === glyphs.runs.length) {
        runIndex.set(object, run);
        const contentId = tagged ? raw.FPDFPageObj_GetMarkedContentID(object) : -1;
        glyphs.runs.push(readRun(pdfium, { textPage, index: i, object, contentId }, fonts));
      }
    }
    glyphs.runOf[i] = run;
    if (glyphs.runs[run]?.hasInkBoxes === true) readInkBox(pdfium, textPage, i, glyphs.boxes);
    else {
      raw.FPDFText_GetLooseCharBox(textPage, i, scratch);
      pdfium.copyFloats(glyphs.boxes, i * 4, 4);
    }
    raw.FPDFText_GetCharOrigin(textPage, i, scratch, scratch + 8);
    pdfium.copyDoubles(glyphs.origins, i * 2, 2);
  }
  correctRightToLeft(glyphs);
  if (glyphs.runs.some(({ mayBeMonospace }) => mayBeMonospace)) markMonospace(glyphs);
  return glyphs;
}

/** Identifies the first character of a run. */
interface RunStart {
  textPage: number;
  index: number;
  object: number;
  contentId: number;
}

function readRun(pdfium: Pdfium, { textPage, index, object, contentId }: RunStart, fonts: FontCache): GlyphRun {
  const { raw } = pdfium;
  const pointer = raw.FPDFTextObj_GetFont(object);
  let font = fonts.get(pointer);
  if (font === undefined) {
    const style = readFont(pdfium, pointer);
    const isNamed = styleOfName(style.name).monospace;
    // PDFium returns neither a name nor widths for bitmap fonts.
    const mayBeMonospace =
      pointer !== 0 && !isNamed && (style.monospace || style.name === '' || hasEvenWidths(pdfium, pointer));
    font = { style, hasInkBoxes: isExtensionFont(style.name), symbolic: isSymbolFont(style.name), mayBeMonospace };
    fonts.set(pointer, font);
  }
  const mode = raw.FPDFTextObj_GetTextRenderMode(object);
  const { angle, em } = directionOf(pdfium, textPage, index);
  return {
    style: mode === MODE_STROKED && !font.style.bold ? { ...font.style, bold: true } : font.style,
    angle,
    em,
    hasInkBoxes: font.hasInkBoxes,
    symbolic: font.symbolic,
    mayBeMonospace: font.mayBeMonospace,
    hidden: mode === MODE_INVISIBLE,
    unmapped: raw.FPDFText_HasUnicodeMapError(textPage, index) === 1,
    contentId,
  };
}

/** Stores the ink box of a character as left, top, right, bottom. */
function readInkBox(pdfium: Pdfium, textPage: number, index: number, boxes: Float32Array): void {
  const p = pdfium.scratch;
  // FPDFText_GetCharBox writes left, right, bottom, top.
  pdfium.raw.FPDFText_GetCharBox(textPage, index, p, p + 8, p + 16, p + 24);
  boxes[index * 4] = pdfium.double(0);
  boxes[index * 4 + 1] = pdfium.double(3);
  boxes[index * 4 + 2] = pdfium.double(1);
  boxes[index * 4 + 3] = pdfium.double(2);
}

/** Computes the baseline direction from the matrix's x axis, which synthetic italics leave unchanged. */
function directionOf(pdfium: Pdfium, textPage: number, index: number): { angle: number; em: number } {
  const size = pdfium.raw.FPDFText_GetFontSize(textPage, index);
  if (pdfium.raw.FPDFText_GetMatrix(textPage, index, pdfium.scratch) === 0) return { angle: 0, em: size };
  const degrees = Math.round((-Math.atan2(pdfium.float(1), pdfium.float(0)) * 180) / Math.PI);
  return { angle: (degrees + 360) % 360, em: size * Math.hypot(pdfium.float(2), pdfium.float(3)) };
}

function readFont(pdfium: Pdfium, font: number): FontStyle {
  if (font === 0) return { name: '', bold: false, italic: false, monospace: false };
  const { api } = pdfium;
  const name = withoutSubset(pdfium.utf8((pointer, bytes) => api.FPDFFont_GetBaseFontName(font, pointer, bytes)));
  const flags = api.FPDFFont_GetFlags(font);
  const named = styleOfName(name);
  return {
    name,
    bold: named.bold || (!named.regular && api.FPDFFont_GetWeight(font) >= BOLD_WEIGHT),
    italic: named.italic || (flags > 0 && (flags & ITALIC_FLAG) !== 0),
    monospace: named.monospace || (flags > 0 && (flags & FIXED_PITCH_FLAG) !== 0),
  };
}
