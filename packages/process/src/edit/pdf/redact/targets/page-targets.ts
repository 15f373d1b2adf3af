/** Finds the positions of the text to redact on each page, as PDFium reads it. */
import type { PdfDocument } from '@quire/parse/formats/pdf/document';
import { readGlyphs, type PageGlyphs } from '@quire/parse/formats/pdf/text/glyphs';
import type { PageBox } from '../../page-geometry.ts';
import type { RedactionFinder } from './redaction-finder.ts';

/** A character to remove. */
export interface TargetGlyph {
  /** Origin on the baseline, in page space. */
  x: number;
  y: number;
  box: PageBox;
  /** False for slanted text, whose boxes overlap. */
  upright: boolean;
}

export interface PageTargets {
  glyphs: TargetGlyph[];
  /** Boxes to paint black: one for each line of a match. */
  boxes: PageBox[];
  matches: number;
  hasText: boolean;
}

const LINE_BREAKS = new Set([10, 13]);
const FLATTEN_FOR_DISPLAY = 0;

/**
 * Searches the page's text, including the appearance of its annotations. Changes the open document, which must not be
 * saved.
 */
export function findTargets(document: PdfDocument, index: number, finder: RedactionFinder): PageTargets {
  const { api } = document.pdfium;
  document.withPage(index, (page) => {
    if (api.FPDFPage_GetAnnotCount(page) > 0) api.FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY);
  });
  const glyphs = document.withPage(index, (page) => readGlyphs(document.pdfium, page, new Map()));
  if (glyphs === undefined) return { glyphs: [], boxes: [], matches: 0, hasText: false };
  const { text, glyphAt } = textOf(glyphs);
  const targets: PageTargets = { glyphs: [], boxes: [], matches: 0, hasText: text.trim() !== '' };
  for (const [start, end] of finder.find(text)) {
    const chosen = new Set(glyphAt.slice(start, end));
    const found = [...chosen].filter((glyph) => isDrawn(glyphs, glyph)).map((glyph) => targetOf(glyphs, glyph));
    if (found.length === 0) continue;
    targets.matches += 1;
    targets.glyphs.push(...found);
    targets.boxes.push(...lineBoxes(found));
  }
  return targets;
}

/** Counts the characters whose centre is in one of the boxes. */
export function glyphsUnder(document: PdfDocument, index: number, boxes: readonly PageBox[]): number {
  const glyphs = document.withPage(index, (page) => readGlyphs(document.pdfium, page, new Map()));
  let count = 0;
  for (let glyph = 0; glyph < (glyphs?.count ?? 0); glyph += 1) {
    if (glyphs === undefined || !isDrawn(glyphs, glyph)) continue;
    const [left, bottom, right, top] = targetOf(glyphs, glyph).box;
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    if (right > left && boxes.some((box) => x > box[0] && x < box[2] && y > box[1] && y < box[3])) count += 1;
  }
  return count;
}

function textOf(glyphs: PageGlyphs): { text: string; glyphAt: number[] } {
  const parts: string[] = [];
  const glyphAt: number[] = [];
  for (let glyph = 0; glyph < glyphs.count; glyph += 1) {
    const code = glyphs.codes[glyph] ?? 0;
    const character = code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    parts.push(character);
    for (let unit = 0; unit < character.length; unit += 1) glyphAt.push(glyph);
  }
  return { text: parts.join(''), glyphAt };
}

/**
 * Returns false for line breaks and for the spaces that PDFium inserts between words, which have no position on the
 * page.
 */
function isDrawn(glyphs: PageGlyphs, glyph: number): boolean {
  if (LINE_BREAKS.has(glyphs.codes[glyph] ?? 0)) return false;
  const [left = 0, top = 0, right = 0, bottom = 0] = glyphs.boxes.subarray(glyph * 4, glyph * 4 + 4);
  return left !== right || top !== bottom;
}

function targetOf(glyphs: PageGlyphs, glyph: number): TargetGlyph {
  const [left = 0, top = 0, right = 0, bottom = 0] = glyphs.boxes.subarray(glyph * 4, glyph * 4 + 4);
  const angle = glyphs.runs[glyphs.runOf[glyph] ?? 0]?.angle ?? 0;
  return {
    x: glyphs.origins[glyph * 2] ?? 0,
    y: glyphs.origins[glyph * 2 + 1] ?? 0,
    box: [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)],
    upright: angle % 90 === 0,
  };
}

/** Joins the boxes of adjacent characters on one line, horizontal or vertical. */
function lineBoxes(found: readonly TargetGlyph[]): PageBox[] {
  const boxes: [number, number, number, number][] = [];
  for (const { box } of found) {
    const last = boxes.at(-1);
    if (last !== undefined && (sameSpan(last, box, 1) || sameSpan(last, box, 0)) && isNear(last, box)) {
      last[0] = Math.min(last[0], box[0]);
      last[1] = Math.min(last[1], box[1]);
      last[2] = Math.max(last[2], box[2]);
      last[3] = Math.max(last[3], box[3]);
    } else boxes.push([...box]);
  }
  return boxes;
}

type Axis = 0 | 1;

/** Returns whether both boxes cover about the same range of an axis. */
function sameSpan(a: PageBox, b: PageBox, axis: Axis): boolean {
  const [fromA, toA, fromB, toB] = axis === 0 ? [a[0], a[2], b[0], b[2]] : [a[1], a[3], b[1], b[3]];
  return Math.min(toA, toB) - Math.max(fromA, fromB) > 0.6 * Math.max(toA - fromA, toB - fromB);
}

function isNear(a: PageBox, b: PageBox): boolean {
  const reach = Math.max(b[2] - b[0], b[3] - b[1]);
  return b[0] < a[2] + reach && b[2] > a[0] - reach && b[1] < a[3] + reach && b[3] > a[1] - reach;
}
