/** Restores the capitals of names in a question that is typed in small letters, from the chunks found for it. */

/** A capital is no sign of a name at the start of a sentence, so only those behind a small letter or a comma count. */
const CAPITALISED = /(?<=[\p{Ll}\p{Nd},] )\p{Lu}[\p{L}\p{M}]+/gu;
const SMALL = /(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]+/gu;

/**
 * Returns the question with capitals for words that the texts write with a capital only. Questions with a capital after
 * the first word stay, and German ones, where a capital is no sign of a name.
 */
export function withNames(question: string, texts: readonly string[], language: string | null): string {
  if (language === 'de' || /\s["'“(]?\p{Lu}/u.test(question)) return question;
  const small = wordsIn(texts, SMALL);
  const names = new Set([...wordsIn(texts, CAPITALISED)].filter((word) => !small.has(word)));
  return question.replaceAll(SMALL, (word) => (names.has(word) ? word.charAt(0).toUpperCase() + word.slice(1) : word));
}

/** Returns the words that match, in small letters. */
const wordsIn = (texts: readonly string[], pattern: RegExp): Set<string> =>
  new Set(texts.flatMap((text) => text.match(pattern) ?? []).map((word) => word.toLowerCase()));
