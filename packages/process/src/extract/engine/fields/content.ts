/** The content of text fields by their names: a `time` holds digits, and a `name` holds letters. */

export type Content = 'time' | 'digits' | 'letters';

/** Last words of field names by content. */
const BY_NAME: readonly (readonly [RegExp, Content])[] = [
  [/^(?:time|uhrzeit|zeit|heure|hora|ora|tijd)$/u, 'time'],
  [/^(?:age|year|rank|lane|heat|points|distance|alter|jahr|rang|punkte|annee|edad|ano)$/u, 'digits'],
  [/^(?:name|surname|city|country|team|club|nationality|ort|stadt|land|nom|prenom|ville|nombre|ciudad)$/u, 'letters'],
];

const FORMS: Readonly<Record<Content, RegExp>> = {
  time: /\d\s?[:.,h]\s?\d{1,2}|\d\s*(?:[ap]\.?m|h|min|sec|s|uhr)(?!\p{L})/iu,
  digits: /\p{N}/u,
  letters: /\p{L}/u,
};
/** A mark in place of a number, such as `DNS` or `n/a`. */
const MARK = /^\p{L}(?:[./]?\p{L}){0,2}\.?$/u;

/** Returns what the values of a field with this name hold; null if any text may be one. */
export function contentOf(nameWords: readonly string[]): Content | null {
  const last = nameWords.at(-1) ?? '';
  return BY_NAME.find(([pattern]) => pattern.test(last))?.[1] ?? null;
}

/** Returns whether the text may be a value of a field with this content, or a mark in its place. */
export function holdsContent(text: string, content: Content | null): boolean {
  if (content === null) return true;
  return FORMS[content].test(text) || (content !== 'letters' && MARK.test(text.trim()));
}

/** Returns whether the text is a number, a date or a time, and no name. */
export function isFigure(text: string): boolean {
  const words = text.replaceAll(/\d\s*(?:[ap]\.?m\.?|h|min|sec|s|uhr|st|nd|rd|th)(?!\p{L})/giu, '');
  return /\p{N}/u.test(text) && !/\p{L}{2}/u.test(words);
}
