/**
 * Finds the party of a contract by its role, which is defined behind the name: `Holm Ltd, 3 Quay (the "Landlord")`,
 * `Anna Holm, Kai 3, nachfolgend Vermieter genannt`.
 */
import type { Place } from '../candidates/place.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { Field } from '../fields/fields.ts';
import { wordsOf, wordsOfName } from '../labels/phrase-book.ts';
import { LANGUAGES } from '../lexicon/languages.ts';
import { alternatives, wordPattern } from '../lexicon/lexicon.ts';
import { phrasesIn } from '../lexicon/phrase-lists.ts';
import { companiesIn } from '../parties/company-names.ts';
import { OPENING_SEGMENTS } from './opening.ts';

const ROLES = new Set(LANGUAGES.flatMap(({ agreements }) => phrasesIn(agreements?.roles)));
/** The words of a definition up to its end, or a term in brackets and quotation marks. */
const DEFINITION = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${alternatives(({ agreements }) => agreements?.definers)})(?!\p{L})|\(\s*(?:the\s+)?(?=["“„«]))(?<term>[^.;,()–]{2,60})`,
  'giu',
);
const OPENING = wordPattern(alternatives(({ agreements }) => agreements?.between));
const escaped = (list: string): string => list.replaceAll('.', String.raw`\.`);
const capitalised = (list: string): string =>
  phrasesIn(escaped(list))
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('|');

/** Words before the name of a party. An article with a capital belongs to the name, except where a clause begins. */
const LEAD = alternatives(({ agreements }) =>
  [agreements?.and, agreements?.partyLeads].flatMap((list) => list ?? []).join('|'),
);
const TITLES = capitalised(alternatives(({ personTitles }) => personTitles));
const SEPARATORS = String.raw`[\s,;:)–-]`;
const LEADS = new RegExp(
  String.raw`^(?:${SEPARATORS}*(?:${capitalised(LEAD)})(?!\p{L}))?(?:${SEPARATORS}+|(?:${escaped(LEAD)}|${TITLES})(?!\p{L}))*`,
  'u',
);
const NAME_END = /[,(;:\n]|\s[–-]\s|$/u;
/** A word of a name: a capital, a sign such as "&", or a particle of up to three letters. */
const WORD = /^(?:\p{Lu}|[&(]|\p{Ll}{1,3}$)/u;
const MAX_WORDS = 9;
const SCORE = 0.8;

/** Returns whether the text is a role of a party, which is no name of one. */
export const isRole = (text: string): boolean => ROLES.has(wordsOfName(text).join(' '));

/** Returns the names that the document defines as the role that the field is named after. */
export function partiesDefinedAs(field: Field, { segments }: SegmentedDocument): Place[] {
  const role = wordsOfName(field.name).join(' ');
  if (!ROLES.has(role)) return [];
  return segments.slice(0, OPENING_SEGMENTS).flatMap((segment) => definedIn(segment, role));
}

function definedIn(segment: Segment, role: string): Place[] {
  let from = 0;
  return [...segment.text.matchAll(DEFINITION)].flatMap((definition): Place[] => {
    const start = from;
    from = definition.index + definition[0].length;
    const isRole = ` ${wordsOf(definition.groups?.['term'] ?? '').join(' ')} `.includes(` ${role} `);
    const name = isRole ? nameIn(segment.text, start, definition.index) : null;
    return name === null ? [] : [{ segment, ...name, score: SCORE }];
  });
}

/** Returns the first name of the clause, behind the words that open the list of parties. */
function nameIn(text: string, from: number, to: number): { start: number; end: number } | null {
  const clause = text.slice(from, to);
  const opening = OPENING.exec(clause);
  let start = opening === null ? 0 : opening.index + opening[0].length;
  start += LEADS.exec(clause.slice(start))?.[0].length ?? 0;
  const rest = clause.slice(start);
  const company = companiesIn(rest).find((one) => one.start === 0);
  const length = company?.end ?? rest.slice(0, NAME_END.exec(rest)?.index).trimEnd().length;
  const name = rest.slice(0, length);
  const words = name.split(/\s+/u);
  const isName =
    /^\p{Lu}/u.test(name) &&
    words.length <= MAX_WORDS &&
    words.every((word) => company !== undefined || WORD.test(word));
  return isName && length > 2 ? { start: from + start, end: from + start + length } : null;
}
