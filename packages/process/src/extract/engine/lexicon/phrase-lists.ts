/** Splits a list of phrases; empty for undefined. */
export const phrasesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split('|')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
