/** Recognises postal addresses in running text and splits them into parts. */
import { alternatives } from '../lexicon/lexicon.ts';
import { LANGUAGES } from '../lexicon/languages.ts';

export interface AddressParts {
  street?: string;
  zip?: string;
  city?: string;
  state?: string;
  country?: string;
}

const STREET_WORDS = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ streets }) => streets?.words)}|\p{L}*(?:${alternatives(({ streets }) => streets?.suffixes)}))(?![\p{L}])\.?`,
  'iu',
);
const STREET_BEGINS = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${alternatives(({ streets }) => streets?.firstWords)})\s|p\.?o\.?\s?box|\p{L}+(?:${alternatives(({ streets }) => streets?.clearSuffixes)})(?!\p{L}))`,
  'iu',
);
const POSTCODES =
  /(?<![\p{L}\p{N}/.-])(?:(?:[A-Z]{1,2}-)?\d{5}(?:-\d{4})?|\d{4}\s?[A-Z]{2}(?!\p{L})|(?:[A-Z]{1,2}-)?\d{4}|\d{6}|\d{3}\s\d{2}|[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)(?![\p{L}\p{N}/-])/gu;
const US = /(?<city>\p{Lu}[\p{L}.' -]{1,30}?),?\s+(?<state>[A-Z]{2})\s+(?<zip>\d{5}(?:-\d{4})?)(?!\d)/u;
const US_STREET_END =
  /^(?<street>.*\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|ct|court|way|pl|place|sq|square|hwy|pkwy|north|south|east|west|n|s|e|w)\b\.?)\s+(?<city>\p{Lu}.*)$/iu;
const CITY =
  /^[\s,]*(?<city>\p{Lu}[\p{L}.'’-]*(?:[ -](?!(?:tel|fax|phone|email|www|gst|vat|kvk|iban)\b)\p{Lu}[\p{L}.'’-]*){0,2})/iu;

const COUNTRIES = countryNames();

export function isAddressLike(text: string): boolean {
  const digits = /\p{N}/u.test(text);
  return (
    digits &&
    (STREET_WORDS.test(text) ||
      [...text.matchAll(POSTCODES)].some((match) => /^\s*,?\s*\p{Lu}/u.test(text.slice(match.index + match[0].length))))
  );
}

/** Returns whether a line is a town with its postcode, such as `62790 Celle` or `Exeter EX2 7HU`. */
export function isTown(line: string): boolean {
  const code = [...line.matchAll(POSTCODES)][0];
  if (code === undefined || line.length > MAX_TOWN_LENGTH) return false;
  const rest = line.slice(0, code.index) + line.slice(code.index + code[0].length);
  return /\p{Lu}\p{L}/u.test(rest) && !/[\p{N}:]/u.test(rest);
}

const MAX_TOWN_LENGTH = 50;

/**
 * Returns the start of a street that contains a word for a street, at its number or at that word; null without one.
 * Words that are also names (`Place`, `Park`, `Way`) count only after a number.
 */
export function streetStart(text: string): number | null {
  const found = STREET_BEGINS.exec(text);
  return found === null ? null : found.index + (/^\s*/.exec(found[0])?.[0].length ?? 0);
}

/** Returns the end of the first word for a street, also in a compound such as `Gartenstr.`; null without one. */
export function streetWordEnd(text: string): number | null {
  const found = STREET_WORDS.exec(text);
  return found === null ? null : found.index + found[0].length;
}

/** Returns the recognised parts of an address, verbatim. */
export function addressParts(text: string): AddressParts {
  const parts: AddressParts = {};
  const country = countryIn(text);
  if (country !== null) parts.country = country.name;
  const american = US.exec(text);
  if (american?.groups !== undefined) {
    const { state, zip } = american.groups;
    const before = text.slice(0, american.index + (american.groups['city']?.length ?? 0)).replace(/,\s*$/, '');
    const split = US_STREET_END.exec(before)?.groups;
    if (state !== undefined) parts.state = state;
    if (zip !== undefined) parts.zip = zip;
    const city = split?.['city'] ?? before.split(/[,\n]/).at(-1);
    if (city !== undefined) parts.city = city.trim();
    const street = split?.['street'] ?? before.split(/[,\n]/).slice(0, -1).join(',');
    if (street.trim() !== '') parts.street = street.trim();
    return parts;
  }
  const codes = [...text.matchAll(POSTCODES)].filter(
    (match) => match.index > 0 || text.length < 40 || /^\S+\s+\p{Lu}/u.test(text),
  );
  for (const code of codes.toReversed()) {
    const city = CITY.exec(text.slice(code.index + code[0].length))?.groups?.['city'];
    if (city === undefined || city.length < 2) continue;
    parts.zip = code[0];
    parts.city =
      country === null ? city : city.replace(new RegExp(String.raw`[\s,-]*${escape(country.name)}$`, 'i'), '');
    const street = text
      .slice(0, code.index)
      .replace(/[\s,·|–-]+$/, '')
      .trim();
    if (/\p{N}/u.test(street)) parts.street = street;
    break;
  }
  return parts;
}

/** Returns the last country named in the text. */
export function countryIn(text: string): { name: string; code: string } | null {
  const words = [...text.matchAll(/\p{L}[\p{L}.'’]*/gu)];
  for (let end = words.length; end > 0; end -= 1)
    for (const size of [4, 3, 2, 1]) {
      const first = words[end - size];
      const last = words[end - 1];
      if (first === undefined || last === undefined) continue;
      const name = text.slice(first.index, last.index + last[0].length);
      const code = COUNTRIES.get(name.toLowerCase());
      if (code !== undefined) return { name, code };
      // A country code counts only as the last word of the address.
      if (size === 1 && end === words.length && /^(?:US|USA|UK|GB|DE|FR|NL|BE|AT|CH|HK|SG|MY|AU|CA|IN)$/.test(name))
        return { name, code: name === 'USA' ? 'US' : name === 'UK' ? 'GB' : name };
    }
  return null;
}

function countryNames(): Map<string, string> {
  const names = new Map<string, string>();
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
  for (const { language } of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const first of letters)
      for (const second of letters) {
        const name = display.of(first + second);
        if (name !== undefined && name.length > 3 && !/\(|^EU|zone/.test(name))
          names.set(name.toLowerCase(), first + second);
      }
  }
  for (const unwanted of ['world', 'welt', 'monde', 'europäische union']) names.delete(unwanted);
  return names;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
