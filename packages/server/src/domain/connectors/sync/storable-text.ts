/** Matches what PostgreSQL cannot store in text: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

export const isStorableText = (text: string): boolean => text.search(UNSTORABLE) === -1;

/** Replaces what PostgreSQL cannot store. */
export const storableText = (text: string): string => text.replaceAll(UNSTORABLE, '\u{fffd}');
