/** Filters unreadable text: drops gibberish before OCR output becomes document text. */
import type { OcrOrientation, OcrWord } from '../engines/ocr-engine.ts';
import { meanConfidence, dropNoise } from './noise.ts';
import { characterCount, letterCount } from '../../layout/lines/line.ts';
import { groupBy } from '../../layout/statistics.ts';
import { foreignScript } from '../engines/scripts.ts';
import type { Recognition } from '../page-warnings.ts';

/**
 * Mean confidence below which a page is suspect: clean upright pages have 0.9, poor scans 0.7, other scripts 0.3 to
 * 0.5.
 */
const DOUBTFUL_CONFIDENCE = 0.65;
/**
 * Mean confidence below which a foreign script is assumed. Uncovered scripts have 0.1 to 0.5; better text is poor print
 * in a known script.
 */
const FOREIGN_SCRIPT_CONFIDENCE = 0.58;
/** The same for PP-OCR, which reads poor print with 0.8 and more, and Cyrillic with 0.6. */
const OWN_SCRIPTS_CONFIDENCE = 0.75;
/** Minimum confidence of lines kept on a page in another script: names, numbers and quotations. */
const SURE_LINE_CONFIDENCE = 0.85;
/** Share of characters below which the remaining text of an unreadable page (handwriting, drawings) is noise. */
const MIN_KEPT_SHARE = 0.2;

/** Maximum share of Greek letters for an engine that reads Greek only in formulas. */
const MAX_GREEK = 0.5;

type ReadableText = { words: OcrWord[] } & Pick<Recognition, 'foreignScript' | 'isUnreadable'>;

/** `covered`: the scripts that the engine reads in any language setting. */
export function filterUnreadable(
  words: readonly OcrWord[],
  orientation: OcrOrientation | null,
  languages: readonly string[],
  covered: readonly string[] = [],
): ReadableText {
  const kept = dropNoise(words);
  if (covered.length > 0 && !covered.includes('Greek') && greekShare(kept) > MAX_GREEK) {
    return { words: [], foreignScript: 'Greek' };
  }
  if (!isDoubtful(words, covered)) return { words: kept };
  const script =
    orientation === null || meanConfidence(words) >= foreignBelow(covered)
      ? null
      : foreignScript(orientation, languages, covered);
  if (script !== null) return { words: sureLines(kept), foreignScript: script };
  if (characterCount(kept) >= MIN_KEPT_SHARE * characterCount(words)) return { words: kept };
  return { words: sureLines(kept), isUnreadable: true };
}

/** Returns whether the confidence is so low that the script of the page must be known. */
export function isDoubtful(words: readonly OcrWord[], covered: readonly string[]): boolean {
  return words.length > 0 && meanConfidence(words) < Math.max(DOUBTFUL_CONFIDENCE, foreignBelow(covered));
}

const foreignBelow = (covered: readonly string[]): number =>
  covered.length > 0 ? OWN_SCRIPTS_CONFIDENCE : FOREIGN_SCRIPT_CONFIDENCE;

function sureLines(words: readonly OcrWord[]): OcrWord[] {
  const lines = groupBy(words, (word) => word.line);
  return words.filter((word) => meanConfidence(lines.get(word.line) ?? []) >= SURE_LINE_CONFIDENCE);
}

function greekShare(words: readonly OcrWord[]): number {
  const greek = words.reduce((sum, { text }) => sum + (text.match(/\p{sc=Greek}/gu)?.length ?? 0), 0);
  return greek / Math.max(1, letterCount(words));
}
