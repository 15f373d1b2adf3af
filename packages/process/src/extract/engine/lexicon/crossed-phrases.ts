import { phrasesIn } from './phrase-lists.ts';

/** Returns a phrase for each choice of one word from every list, such as "total … incl vat". */
export const crossedPhrases = (first: string, ...lists: readonly string[]): string =>
  lists
    .reduce(
      (phrases, list) => phrases.flatMap((phrase) => phrasesIn(list).map((word) => `${phrase} ${word}`)),
      phrasesIn(first),
    )
    .join(' | ');
