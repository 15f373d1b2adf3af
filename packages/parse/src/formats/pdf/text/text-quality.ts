/** Decides whether a page's own text is usable or the page needs OCR. */
import { area } from '../../../layout/geometry.ts';
import { gibberishShare, isAscii } from './gibberish.ts';
import { impossibleShare } from './mixed-scripts.ts';
import type { PageReading } from '../page/read-page.ts';

/** Maximum share of characters without a usable Unicode value. */
const MAX_GARBLED = 0.25;
const MIN_CHARACTERS = 12;
/** A page with fewer characters than this and mostly covered by pictures is a scan. */
const SCAN_CHARACTERS = 40;
const SCAN_PICTURE_SHARE = 0.25;
/** A page with fewer characters than this and a picture over most of it is also recognised. */
const PARTIAL_CHARACTERS = 250;
const PARTIAL_PICTURE_SHARE = 0.6;

/** Maximum share of words that mix scripts as no language does. Text of 14 languages has 0, garbled text 0.13. */
const MAX_IMPOSSIBLE = 0.1;
/** Minimum share of words with impossible mixtures of scripts in text that is certainly garbled. */
const GARBLED_IMPOSSIBLE = 0.3;
/** Maximum share of unpronounceable words. Natural language has 0 to 0.05, shifted letters 0.3 and more. */
const MAX_GIBBERISH = 0.25;

/**
 * Faults of a page's own text: `missing` and `garbled` text is unusable, `implausible` text is replaced if OCR reads
 * better, and with `partial` text a picture seems to contain more text.
 */
export type TextFault = 'missing' | 'garbled' | 'implausible' | 'partial';

/** Returns the fault of the page's text; undefined if the text is complete. */
export function textFault({ content, glyphs }: PageReading): TextFault | undefined {
  const characters = content.words.reduce((sum, word) => sum + word.text.length, 0);
  const pageArea = Math.max(1, content.width * content.height);
  const covered = content.images.reduce((sum, image) => sum + area(image), 0) / pageArea;
  if (characters < SCAN_CHARACTERS && covered > SCAN_PICTURE_SHARE) return 'missing';
  // Text drawn as curves has no characters but many shapes.
  if (characters === 0) return content.strokes.length >= 20 ? 'missing' : undefined;
  if (characters >= MIN_CHARACTERS && garbledShare(glyphs) > MAX_GARBLED) return 'garbled';
  const words = content.words.map((word) => word.text);
  const impossible = impossibleShare(words);
  if (impossible > GARBLED_IMPOSSIBLE) return 'garbled';
  if (impossible > MAX_IMPOSSIBLE || gibberishShare(words) > MAX_GIBBERISH) return 'implausible';
  return characters < PARTIAL_CHARACTERS && covered > PARTIAL_PICTURE_SHARE ? 'partial' : undefined;
}

function garbledShare(glyphs: PageReading['glyphs']): number {
  const { codes, count, runOf, runs } = glyphs;
  let [visible, garbled] = [0, 0];
  const trustsCodes = runs.some(({ unmapped }) => unmapped) && isAscii(unmappedText(glyphs));
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0;
    if (code === 32 || code === 10 || code === 13) continue;
    visible++;
    if (isUnusable(code) || (!trustsCodes && runs[runOf[i] ?? 0]?.unmapped)) garbled++;
  }
  return visible === 0 ? 0 : garbled / visible;
}

/** Returns the text that the codes of characters without a Unicode mapping spell. */
function unmappedText({ codes, count, runOf, runs }: PageReading['glyphs']): string {
  let text = '';
  for (let i = 0; i < count; i++) {
    if (runs[runOf[i] ?? 0]?.unmapped === true) text += String.fromCodePoint(codes[i] ?? 0);
  }
  return text;
}

/** Detects unmapped, control, private use and replacement characters. */
export const isUnusable = (code: number): boolean =>
  code === 0 ||
  code === 0xfffd ||
  (code < 32 && code !== 2 && code !== 9) ||
  (code >= 0x7f && code < 0xa0) ||
  (code >= 0xe000 && code <= 0xf8ff && !(code >= 0xf000 && code <= 0xf0ff)) ||
  code >= 0xf0000;
