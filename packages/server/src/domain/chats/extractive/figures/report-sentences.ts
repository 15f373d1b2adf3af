/** The sentences of a report as quotes that are not rated. */
import { sentences } from '@quire/text/language/sentences';
import type { Quote } from '../sentence-scores.ts';

const NOT_RATED = { score: 0, covers: [], near: [], titled: [], coverage: 0 };

/** `chunk` is the position of the text's chunk. */
export function reportSentences(text: string, chunk: number, language: string | null): Quote[] {
  let offset = 0;
  return sentences(text, language).map((part) => {
    const start = offset + part.length - part.trimStart().length;
    offset += part.length;
    const own = part.trim();
    return { start, end: start + own.length, text: own, header: null, chunk, ...NOT_RATED };
  });
}
