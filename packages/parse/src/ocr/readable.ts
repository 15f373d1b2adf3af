/** Filters unreadable text: drops gibberish before OCR output becomes document text. */
import type { OcrOrientation, OcrWord } from './ocr-engine.ts';
import { meanConfidence, withoutNoise } from './noise.ts';
import { characterCount } from '../layout/line.ts';
import { groupBy } from '../layout/statistics.ts';
import { foreignScript } from './scripts.ts';

/**
 * Mean confidence below which a page is suspect: clean upright pages have 0.9, poor scans 0.7, other scripts 0.3 to
 * 0.5.
 */
const DOUBTFUL = 0.65;
/**
 * Mean confidence below which a foreign script is assumed. Uncovered scripts have 0.1 to 0.5; better text is poor print
 * in a known script.
 */
const FOREIGN = 0.58;
/** Minimum confidence of lines kept on a page in another script: names, numbers and quotations. */
const SURE_LINE = 0.85;
/** Share of characters below which the remaining text of an unreadable page (handwriting, drawings) is noise. */
const FEWEST_KEPT = 0.2;

interface Readable {
  words: OcrWord[];
  /** What was left out and why: a phrase whose subject is the page. */
  notice?: string;
}

export function readable(
  words: readonly OcrWord[],
  seen: OcrOrientation | null,
  languages: readonly string[],
): Readable {
  const kept = withoutNoise(words);
  if (words.length === 0 || meanConfidence(words) >= DOUBTFUL) return { words: kept };
  const script = seen === null || meanConfidence(words) >= FOREIGN ? null : foreignScript(seen, languages);
  if (script !== null) {
    const codes = languages.join(', ');
    const notice = `seems to be written in ${script} script, which the OCR languages (${codes}) do not cover`;
    return { words: sureLines(kept), notice };
  }
  if (characterCount(kept) >= FEWEST_KEPT * characterCount(words)) return { words: kept };
  const sure = sureLines(kept);
  return { words: sure, notice: 'holds text that could not be read with any certainty and was left out' };
}

function sureLines(words: readonly OcrWord[]): OcrWord[] {
  const lines = groupBy(words, (word) => word.line);
  return words.filter((word) => meanConfidence(lines.get(word.line) ?? []) >= SURE_LINE);
}
