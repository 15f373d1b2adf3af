import type { SummaryConfig } from '../blocks.ts';

/** Words of a summary at most, in words of the reader's language. */
export const SUMMARY_WORDS: Readonly<Record<SummaryConfig['length'], number>> = { short: 50, medium: 150, long: 400 };

/** Of a document that is not much longer than its summary might be. */
const SHARE_OF_DOCUMENT = 0.5;

/** A summary of a short document is shorter than the document. */
export const wordsFor = (length: SummaryConfig['length'], documentWords: number): number =>
  Math.min(SUMMARY_WORDS[length], Math.max(1, Math.floor(documentWords * SHARE_OF_DOCUMENT)));
