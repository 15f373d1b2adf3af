/** Compares names with the titles of documents. */
import { analyse } from './reading.ts';
import type { SearchHit } from '../../search/types.ts';
import { titlesOf } from './titles.ts';

/** Minimum share of the terms of a title that a name must have: a family name names a person. */
const MIN_TITLE_SHARE = 0.3;

/** Returns whether a title may be the name of a person: up to four words, all but particles capitalised. */
export const isPerson = (title: string): boolean =>
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:de|da|del|van|von|der|di|la|le) ){0,2}\p{Lu}[\p{L}.'’-]*){1,3}$/u.test(title);

/** Puts a family name before a comma behind the given name: "Lovelace, Ada". */
const inOrder = (title: string): string => title.replace(/^(?<family>[^,]+), (?<given>\p{Lu}[^,]*)$/u, '$2 $1');

/** Returns whether a title of the hit's document is the name, without middle names, or contains it as a family name. */
export function isNamed(hit: SearchHit, name: string, language: string | null): boolean {
  const terms = new Set(analyse(name, language));
  return [...titlesOf(hit), hit.headings[0] ?? ''].some((given) => {
    const title = inOrder(given.replace(/\(.*/u, '').trim());
    const own = new Set(analyse(title, language));
    const shared = [...own].filter((term) => terms.has(term)).length;
    const isWhole = shared === own.size;
    if (shared === 0) return false;
    if (shared < terms.size) return isWhole && isPerson(title) && isSameOutside(title, name);
    return isWhole || (isPerson(title) && shared / own.size >= MIN_TITLE_SHARE);
  });
}

/** Returns the title of the hit's document if it is the name without middle names, or else the name. */
export const shorterTitle = (hit: SearchHit, name: string): string =>
  titlesOf(hit)
    .map(inOrder)
    .find((title) => title.length < name.length && isSameOutside(title, name)) ?? name;

/** Returns whether two names begin and end with the same words: "John Vincent Atanasoff" and "John Atanasoff". */
function isSameOutside(a: string, b: string): boolean {
  const [first, second] = [a.split(' '), b.split(' ')];
  return first[0] === second[0] && first.at(-1) === second.at(-1);
}

/** Nouns for persons, of whom no name is an abbreviation. */
const PERSON =
  /^(?:m[ae]n|wom[ae]n|person|author|writer|director|painter|artist|composer|singer|founder|manager|employee|colleague|customer|leader|chair(?:man|woman|person)?|deputy|secretary|assistant|head|architect|designer|inventor|engineer|physicist|mathematician|scientist|actor|actress|wife|husband|father|mother|son|daughter|sculptor|photographer|mann|frau|leiter(?:in)?|chef(?:in)?|nachfolger(?:in)?|vorgänger(?:in)?|gestalter(?:in)?|kolleg(?:e|in)|autor(?:in)?|maler(?:in)?|gründer(?:in)?|erfinder(?:in)?|personne|responsable|direct(?:eur|rice)|gérante?|homme|femme|peintre|fondat(?:eur|rice)|persona|directora?|gerente|jef[ea]|dueñ[oa]|hombre|mujer)$/iu;

/** Returns whether a noun is one for persons. */
export const isPersonKind = (kind: string): boolean => PERSON.test(kind);

/** Returns whether the text contains the title of the hit's document. */
export function mentionsTitle(text: string, hit: SearchHit, language: string | null): boolean {
  const held = new Set(analyse(text, language));
  return [...titlesOf(hit), hit.headings[0] ?? ''].some((title) => {
    const terms = analyse(title.replace(/\(.*/u, ''), language);
    return terms.length > 0 && terms.every((term) => held.has(term));
  });
}
