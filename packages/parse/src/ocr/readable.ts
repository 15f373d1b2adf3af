/** The gate between what an engine says it read and what becomes text: gibberish is worse than nothing. */
import type { OcrOrientation, OcrWord } from './ocr-engine.ts';
import { meanConfidence, withoutNoise } from './noise.ts';
import { characterCount } from '../layout/line.ts';
import { groupBy } from '../layout/statistics.ts';
import { foreignScript } from './scripts.ts';

/** Below this a page is suspicious; upright clean ones have 0.9, bad scans 0.7, another script 0.3 to 0.5. */
const DOUBTFUL = 0.65;
/** Text in a script that no language covers is read with 0.1 to 0.5; what reads better is bad print, whatever script it is taken for. */
const FOREIGN = 0.58;
/** On a page in another script these lines may be trusted: names, figures and quotations in the known one. */
const SURE_LINE = 0.85;
/** Of what was read on a hopeless page (handwriting, drawings), less than this share is more than noise. */
const FEWEST_KEPT = 0.2;

interface Readable {
  words: OcrWord[];
  /** What was left out, and why: a sentence whose subject is the page. */
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
