/**
 * Finds the parties in the part of an agreement that names them. The name of a party begins where the list begins, or
 * after "and", a comma, a semicolon, a bracket or a number. Names in the description of a party are no parties.
 */
import { alternatives } from '../lexicon/lexicon.ts';
import { phrasesIn } from '../lexicon/phrase-lists.ts';
import { companiesIn } from '../parties/company-names.ts';

export interface NamedParty {
  start: number;
  end: number;
  /** How clearly the text states that this is a party, 0..1. */
  score: number;
}

const inAnyCase = (list: string): string =>
  [...new Set(phrasesIn(list).flatMap((one) => [one, one.toUpperCase(), one.charAt(0).toUpperCase() + one.slice(1)]))]
    .toSorted((a, b) => b.length - a.length)
    .map((one) => one.replaceAll('.', String.raw`\.`))
    .join('|');

const AND_WORDS = alternatives(({ agreements }) => agreements?.and);
const AND = `(?:${inAnyCase(AND_WORDS)}|&)`;
const LEADS = inAnyCase(alternatives(({ agreements }) => agreements?.partyLeads));
/** Words in lower case inside a name, but for those that join two parties. */
const PARTICLES = phrasesIn(alternatives(({ companies }) => companies?.particles))
  .filter((word) => !phrasesIn(AND_WORDS).includes(word))
  .join('|');

/** Places where a name may begin. */
const PLACES = new RegExp(
  String.raw`(?:^|[,;:)]|(?<![\p{L}\p{N}])${AND}(?!\p{L}))[\s,;]*(?:${AND}\s+)?(?:\(?(?:\d{1,2}|[A-Za-z]|i{1,3}|iv)[.)]\s+)?(?:(?:${LEADS})\s+){0,3}`,
  'gu',
);
const JOINED = new RegExp(String.raw`(?<!\p{L})${AND}\s|^[);]`, 'u');
const INSIDE = String.raw`(?:(?:${PARTICLES}|&)\s+){1,2}\p{Lu}[\p{L}\p{N}&'’./-]*|[\p{Lu}\p{N}][\p{L}\p{N}&'’./-]*|&|\(\p{Lu}[\p{L} ]{0,30}\)(?=\s+\p{Lu})`;
const LEGAL_SUFFIX = String.raw`(?:,\s*(?:[Ii][Nn][Cc](?:orporated|ORPORATED)?|[Ll][Ll][CcPp]|[Ll][Tt][Dd]|[Ll]\.\s?[Ll]\.\s?[CcPp]|L\.?P|N\.A|S\.A|[Cc]orp|[Cc]o|FSB|PLC|plc|[Ll]imited)\b\.?){1,2}`;
/** A name. It may begin with a small letter before a legal form: `eBay Inc.`. */
const NAME = new RegExp(
  String.raw`(?:(?:The|THE|the)\s+)?(?:(?:\p{Lu}|\p{N}+(?=\p{L}|\s\p{Lu}))[\p{L}\p{N}&'’./-]*|\p{Ll}[\p{L}\p{N}.-]*(?=,?\s+(?:[Ii]nc|INC|LLC|Ltd|LTD|Corp)\b))(?:\s+(?:${INSIDE})){0,9}(?:${LEGAL_SUFFIX})?`,
  'uy',
);
const LEGAL =
  /(?:\b(?:inc|incorporated|llc|ltd|limited|corp|corporation|company|gmbh|ag|plc|llp|bv|nv|sa|lp|fsb)|l\.\s?l\.\s?c|l\.p|n\.a|s\.a|b\.v|n\.v)\.?$/iu;
const NO_NAME =
  /^(?:the|this|that|a|an|each|and|or|as|with|its|his|her|their|such|state|company|agreement|effective|exhibit|section|disclosing|receiving|recipient|party|parties|attention|suite|whereas|now|january|february|march|april|may|june|july|august|september|october|november|december)\b|^[A-Z]{2}\s\d{4}|\s\d{4,}$/iu;
/** Words that name a party only with an article, as in "the Company". */
const ROLE = /^(?:the\s+)?(?:company|corporation|party|parties|state|purchaser|seller|buyer|agreement)$/iu;
const TERM = `[“"«„'‘]`;
const DESCRIPTIONS = alternatives(({ agreements }) => agreements?.partyDescriptions);
/** A defined term behind a name, as in `Acme Ltd, a Delaware corporation (the "Seller")`. */
const DEFINED = new RegExp(
  String.raw`^\s*(?:,\s+(?:${DESCRIPTIONS})(?!\p{L})[^(),;]{0,80})?,?\s*\(\s*(?:[\p{L},]+\s+){0,7}?${TERM}|^,?\s*${TERM}\p{Lu}`,
  'u',
);
const DESCRIBED = new RegExp(
  String.raw`^\s*,?\s+\(?(?:${DESCRIPTIONS})(?!\p{L})|^\s+(?:of|having|with|located|whose)\s+(?:[\p{Lu}\p{N}]|an?\b|its\b|offices?\b|registered\b)`,
  'u',
);
/** The words before "and" are a place within a description, as in "the laws of England and Wales". */
const INSIDE_PLACE = /\b(?:of|in|at|to|from|under)\s+(?:the\s+)?(?:\p{Lu}[\p{L}.'’-]*\s*){1,3}$/u;
const ENDS = new RegExp(String.raw`^\s*(?:[.;,]|$)|^\s+${AND}\s`, 'u');
const MAX_NAME_LENGTH = 100;

/** Returns the parties that `text` names between `from` and `to`, in order. */
export function partiesNamedIn(text: string, from: number, to: number): NamedParty[] {
  const found: NamedParty[] = [];
  const region = text.slice(from, to);
  let next = 0;
  for (const place of region.matchAll(PLACES)) {
    const start = place.index + place[0].length;
    if (start < next) continue;
    const party = partyAt(region, start, place);
    if (party === null) continue;
    next = party.end;
    found.push({ start: from + party.start, end: from + party.end, score: party.score });
  }
  return found;
}

function partyAt(region: string, start: number, place: RegExpExecArray): NamedParty | null {
  NAME.lastIndex = start;
  const whole = NAME.exec(region)?.[0];
  if (whole === undefined) return null;
  const name = nameOf(whole);
  const end = start + name.length;
  const rest = region.slice(end);
  const severalWords = /\s/u.test(name);
  const legal = severalWords && (LEGAL.test(name) || companiesIn(name).some((one) => one.start === 0));
  const defined = DEFINED.test(rest);
  const described = defined || DESCRIBED.test(rest);
  if (name.length < 3 || name.length > MAX_NAME_LENGTH || ROLE.test(name)) return null;
  const isGeneric = NO_NAME.test(name) && !(/^the\s/iu.test(name) && severalWords && described);
  if ((isGeneric && !legal) || (!severalWords && !defined)) return null;
  const first = place.index === 0;
  const joined = JOINED.test(place[0]);
  if (joined && !defined && !legal && INSIDE_PLACE.test(region.slice(0, place.index))) return null;
  // After a mere comma a legal form is needed, because descriptions consist of such pieces.
  const stated = legal || ((first || joined) && (described || ENDS.test(rest)));
  if (!stated) return null;
  const score = 0.5 + (legal ? 0.15 : 0) + (defined ? 0.15 : described ? 0.1 : 0) + (first || joined ? 0.05 : 0);
  return { start, end, score };
}

/** Returns the name without a description joined to it, as in "Acme Limited of Boston House". */
function nameOf(whole: string): string {
  const company = companiesIn(whole).find(({ start }) => start === 0);
  if (company !== undefined) return whole.slice(0, company.end);
  return LEGAL.test(whole) ? whole : whole.replace(/[.,]+$/u, '');
}
