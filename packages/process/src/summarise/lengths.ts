import type { SummaryConfig } from '../blocks.ts';

/** Maximum number of words of a summary by its length. */
export const SUMMARY_WORDS: Readonly<Record<SummaryConfig['length'], number>> = { short: 50, medium: 150, long: 400 };

/** Maximum length of a summary as a share of the document's words. */
const SHARE_OF_DOCUMENT = 0.5;

/** Returns the maximum number of words of the summary of a document. */
export const wordsFor = (length: SummaryConfig['length'], documentWords: number): number =>
  Math.min(SUMMARY_WORDS[length], Math.max(1, Math.floor(documentWords * SHARE_OF_DOCUMENT)));
