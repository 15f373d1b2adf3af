/** Limits on the correction of misspelt query words (`docs/decisions/2026-11-21-misspelt-words.md`). */

/** Words that may be corrected. Shorter words have too many neighbours, and codes with digits must match exactly. */
export const MISSPELT_WORD = /^\p{L}{5,}$/u;
/** Maximum number of indexed words that replace one misspelt word. */
export const MAX_EXPANSIONS = 3;
/** Maximum number of corrected words per query; a longer query does not depend on a single word. */
export const MAX_LOOKED_UP = 12;
