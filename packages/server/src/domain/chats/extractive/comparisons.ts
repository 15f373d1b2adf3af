/**
 * Finds names that a sentence only compares its subject with: "an area larger than England" says nothing about England.
 */

/** Words of a comparison before a name, with at most three small words between them ("than that of the"). */
const COMPARED: Readonly<Record<string, RegExp>> = {
  en: /\b(?:than|[Uu]nlike|similar to|[Ii]n contrast to|[Cc]ompared (?:to|with))(?: \p{Ll}{1,12}){0,3} \p{Lu}[\p{L}\p{Nd}'’-]{0,40}(?: \p{Lu}[\p{L}\p{Nd}'’-]{0,40}){0,4}/gu,
  fr: /(?:[Cc]ontrairement à|par rapport à|à la différence d[eu'’]|similaire à)(?: ?\p{Ll}{1,12}['’]?){0,3} ?\p{Lu}[\p{L}\p{Nd}'’-]{0,40}/gu,
  es: /(?:[Aa] diferencia de|en comparación con|similar a|mayor que|menor que)(?: \p{Ll}{1,12}){0,3} \p{Lu}[\p{L}\p{Nd}'’-]{0,40}/gu,
};
const MAX_TEXT = 2_000;

/** Returns the first 2,000 characters of the text without names that something is compared with. */
export function withoutCompared(text: string, language: string | null): string {
  const pattern = COMPARED[language ?? 'en'];
  const read = text.slice(0, MAX_TEXT);
  return pattern === undefined ? read : read.replaceAll(pattern, ' ');
}
