/** Which words of a query are looked at for a misspelling, and how far (`docs/decisions/2026-11-21-misspelt-words.md`). */

/** Shorter words have too many neighbours, and codes with digits are meant as they stand. */
export const MISSPELT_WORD = /^\p{L}{5,}$/u;
/** Words of the collection that one stands for, at most. */
export const MAX_EXPANSIONS = 3;
/** Words of one query that are looked up; a longer one does not hang on a single word. */
export const MAX_LOOKED_UP = 12;
