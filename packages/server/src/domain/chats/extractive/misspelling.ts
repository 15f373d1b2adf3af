/** Corrects misspelt words of a question by the words of the chunks that were found for it. */
import { isOneEditAway, MISSPELT_WORD } from '@quire/search/misspelt';
import { contentTerms } from './question.ts';
import { analyse } from './reading.ts';

/** German words for a computation, which a report has no reason to repeat. */
const COMPUTING = /^(?:höher|höchste[nrsm]?|niedriger|gestiegen|gesunken|gewachsen|verhältnis|marge|anteil)$/iu;
const WORDS = /[\p{L}\p{M}]+/gu;

/**
 * Returns the question with each misspelt word replaced by a word of the texts, the most frequent one. A word is
 * misspelt if no text has its term and one has a word, or a word with a term, that differs by one inserted, deleted,
 * replaced or swapped letter after the first. Names stay: another name is another thing. German capitalises every noun,
 * so all its words may be corrected. Question words stay ("Combien" is no misspelt "combine"), as do `words`, which are
 * known to be written correctly ("change" is no misspelt "charge").
 */
export function withoutMisspellings(
  question: string,
  texts: readonly string[],
  language: string | null,
  words: ReadonlySet<string> = new Set(),
): string {
  const held = new Set(texts.flatMap((text) => analyse(text, language)));
  return question.replaceAll(WORDS, (word, at: number) => {
    const isName = language !== 'de' && at > 0 && /^\p{Lu}/u.test(word);
    const [term, ...others] = isName ? [] : contentTerms(word, language);
    const isUnknown = term !== undefined && others.length === 0 && !held.has(term) && MISSPELT_WORD.test(word);
    if (!isUnknown || words.has(word) || COMPUTING.test(word)) return word;
    const counts = countWords(texts, word.charAt(0));
    return (
      mostFrequent(counts, (other) => isOneEditAway(word.toLowerCase(), other)) ??
      mostFrequent(counts, (other) => analyse(other, language).some((each) => isNearTerm(term, each))) ??
      word
    );
  });
}

const isNearTerm = (term: string, other: string): boolean =>
  MISSPELT_WORD.test(term) && term.charAt(0) === other.charAt(0) && isOneEditAway(term, other);

/** Returns how often the texts have each word with the initial, in lower case. */
function countWords(texts: readonly string[], initial: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap((text) => text.toLowerCase().match(WORDS) ?? [])) {
    if (word.startsWith(initial.toLowerCase()) && MISSPELT_WORD.test(word))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const mostFrequent = (counts: ReadonlyMap<string, number>, isNear: (word: string) => boolean): string | undefined =>
  [...counts].filter(([word]) => isNear(word)).toSorted((a, b) => b[1] - a[1])[0]?.[0];
