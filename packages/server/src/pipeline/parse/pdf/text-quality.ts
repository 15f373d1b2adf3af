/** Whether a page's own text can be used, or its picture must be read instead. */
import { area } from '../layout/geometry.ts';
import type { PageReading } from './read-page.ts';

/** Share of the characters without a usable Unicode value beyond which the text is garbage. */
const MAX_GARBLED = 0.25;
const MIN_CHARACTERS = 12;
/** A page with fewer characters than this, mostly covered by pictures, is a scan. */
const SPARSE = 40;
const COVERED = 0.25;

/** Why the text is of no use; undefined when it is. */
export function textFault({ content, glyphs }: PageReading): 'missing' | 'garbled' | undefined {
  const characters = content.words.reduce((sum, word) => sum + word.text.length, 0);
  const pageArea = Math.max(1, content.width * content.height);
  const covered = content.images.reduce((sum, image) => sum + area(image), 0) / pageArea;
  if (characters < SPARSE && covered > COVERED) return 'missing';
  // Text drawn as curves: nothing to read, and many shapes.
  if (characters === 0) return content.strokes.length >= 20 ? 'missing' : undefined;
  return characters >= MIN_CHARACTERS && garbledShare(glyphs) > MAX_GARBLED ? 'garbled' : undefined;
}

function garbledShare({ codes, count, runOf, runs }: PageReading['glyphs']): number {
  let [visible, garbled] = [0, 0];
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0;
    if (code === 32 || code === 10 || code === 13) continue;
    visible++;
    if (isUnusable(code) || runs[runOf[i] ?? 0]?.unmapped) garbled++;
  }
  return visible === 0 ? 0 : garbled / visible;
}

/** Unmapped, control, private use and replacement characters. */
const isUnusable = (code: number): boolean =>
  code === 0 ||
  code === 0xfffd ||
  (code < 32 && code !== 2 && code !== 9) ||
  (code >= 0x7f && code < 0xa0) ||
  (code >= 0xe000 && code <= 0xf8ff && !(code >= 0xf000 && code <= 0xf0ff)) ||
  code >= 0xf0000;
