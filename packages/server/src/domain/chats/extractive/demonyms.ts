/**
 * Relates adjectives of names to their names: "Irish" to Ireland, "Angolan" to Angola. Countries come from CLDR's names
 * of languages and regions, in each language that it covers; other English names are related by their endings. "Which
 * nationality" is related to all these adjectives.
 */
import { analyse } from '@quire/text/language/analyse';

/** Sets of terms; a text contains the name if it contains all terms of one set. */
export type RelatedTerms = readonly (readonly string[])[];

/** Languages of which CLDR's most likely region is another country, or whose name has another initial. */
const COUNTRY_OF_LANGUAGE: Readonly<Record<string, string>> = { nl: 'NL', pt: 'PT' };
const LANGUAGES =
  'bg bs cs da de el es et fa fi fr ga he hr hu hy is it ja ka km ko lo lt lv mk mn mt nl no pl pt ro ru sk sl so sq sr sv th tr uk vi zh'.split(
    ' ',
  );
/** Variants of languages that are named after a country: "American English". */
const VARIANTS = 'de-AT en-AU en-CA en-GB en-US es-MX fr-CA fr-CH pt-BR'.split(' ');

/** Endings of adjectives and of the names that they are derived from. */
const ADJECTIVE_ENDINGS = ['n', 'an', 'ian', 'ean', 'vian', 'ese', 'ish', 'i', 'ic', 'ine'];
const NAME_ENDINGS = ['', 'a', 'e', 'o', 's', 'y', 'ey', 'ia', 'ain', 'and', 'land'];
const NATIONALITY =
  /^(?:nationalit(?:y|ies|é|és|ät|äten|eit|eiten)|staatsangehörigkeit(?:en)?|nacionalidade?s?|nazionalità)$/iu;
/** Minimum length of the part that an adjective and its name share, in characters. */
const MIN_ROOT = 3;

const tables = new Map<string, ReadonlyMap<string, RelatedTerms>>();

/** Returns the names and adjectives that belong to a capitalised or lower-case word of a question. */
export function relatedTerms(word: string, language: string | null): RelatedTerms {
  const code = language ?? 'en';
  const own = analyse(word, language);
  if (NATIONALITY.test(word)) return adjectivesIn(code);
  const countries = own.flatMap((term) => countriesIn(code).get(term) ?? []);
  return [...countries, ...(code === 'en' ? byEnding(word, language) : [])];
}

function byEnding(word: string, language: string | null): RelatedTerms {
  if (!/^\p{Lu}\p{Ll}+$/u.test(word)) return [];
  const exchanged = [
    [ADJECTIVE_ENDINGS, NAME_ENDINGS],
    [NAME_ENDINGS, ADJECTIVE_ENDINGS],
  ].flatMap(([from = [], to = []]) =>
    from.flatMap((ending) => {
      const root = word.slice(0, word.length - ending.length);
      return word.endsWith(ending) && root.length >= MIN_ROOT ? to.map((other) => root + other) : [];
    }),
  );
  const own = new Set(analyse(word, language));
  const terms = new Set(exchanged.flatMap((each) => analyse(each, language)));
  return [...terms].filter((term) => !own.has(term)).map((term) => [term]);
}

/** Returns the adjectives of countries, one set of terms each. */
function adjectivesIn(language: string): RelatedTerms {
  const found = pairsIn(language).map(([adjective]) => analyse(adjective, language));
  return [...new Set(found.filter((terms) => terms.length === 1).flat())].map((term) => [term]);
}

/** Returns the names by the terms of their adjectives, and the reverse. */
function countriesIn(language: string): ReadonlyMap<string, RelatedTerms> {
  const known = tables.get(language);
  if (known !== undefined) return known;
  const made = new Map<string, RelatedTerms>();
  const relate = (term: string | undefined, terms: readonly string[]): void => {
    if (term !== undefined && terms.length > 0) made.set(term, [...(made.get(term) ?? []), terms]);
  };
  for (const [adjective, country] of pairsIn(language)) {
    const [one, other] = [analyse(adjective, language), analyse(country, language)];
    if (one.length !== 1) continue;
    relate(one[0], other);
    if (other.length === 1) relate(other[0], one);
  }
  tables.set(language, made);
  return made;
}

function pairsIn(language: string): (readonly [adjective: string, country: string])[] {
  const languages = new Intl.DisplayNames(language, { type: 'language' });
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const own = LANGUAGES.flatMap((code) => {
    const region = COUNTRY_OF_LANGUAGE[code] ?? new Intl.Locale(code).maximize().region;
    const [name, country] = [languages.of(code), region === undefined ? undefined : regions.of(region)];
    return name === undefined || country === undefined ? [] : [[name, country] as const];
  });
  const variants = VARIANTS.flatMap((code) => {
    const { language: base, region = '' } = new Intl.Locale(code);
    const plain = languages.of(base) ?? '';
    const country = regions.of(region) ?? '';
    const words = (languages.of(code) ?? '').split(/\s+/u);
    // Some languages write the country in brackets, or behind a preposition.
    const [adjective, ...others] = words.filter((word) => word.toLowerCase() !== plain.toLowerCase());
    const isAdjective = adjective !== undefined && others.length === 0 && !/\p{P}/u.test(adjective);
    return isAdjective ? [[adjective, country] as const] : [];
  });
  return [...own, ...variants];
}
