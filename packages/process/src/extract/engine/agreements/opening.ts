/** The opening of an agreement: the segments at its head, and the words before the list of its parties. */
import { LANGUAGES } from '../lexicon/languages.ts';

/** Number of segments at the head of an agreement that may name its parties. */
export const OPENING_SEGMENTS = 40;

/** Pattern of the words that open the list of parties. */
export const OPENING_WORDS: string = LANGUAGES.flatMap(({ agreements }) => agreements?.openings ?? []).join('|');
