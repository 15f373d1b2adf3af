/** Finds the parties of an agreement in its opening. */
import { LANGUAGES } from '../lexicon/languages.ts';
import { alternatives, phrasesIn } from '../lexicon/lexicon.ts';
import type { LabelledText } from '../labels/labelled-texts.ts';
import { companiesIn } from '../parties/company-names.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';

interface Place {
  segment: Segment;
  start: number;
  end: number;
  score: number;
}

/** A full stop that ends a sentence, and not an initial or a legal form. */
const STOP = String.raw`(?<!(?<!\p{L})(?:\p{Lu}|Inc|Ltd|Corp|Co|Pte|Pty|Pvt|St|Mr|Mrs|Ms|Dr|Jr|Sr))\.\s+(?:\p{Lu}\p{Ll}|\d)`;
const OPENINGS = LANGUAGES.flatMap(({ agreements }) => agreements?.openings ?? []).join('|');
const AND = alternatives(({ agreements }) => agreements?.and);
/**
 * Words in lower case inside a party's name. Words that join two parties are left out, but for "and" and "&", which
 * names of companies have.
 */
const PARTICLES = `and|&|${alternatives(({ companies, agreements }) =>
  phrasesIn(companies?.particles)
    .filter((word) => !phrasesIn(agreements?.and).includes(word))
    .join('|'),
)}`;
const AND_LINE = new RegExp(`^(?:${AND})$`, 'iu');
/** The part of an agreement that names its parties: up to the end of the sentence or the start of the recitals. */
const OPENING = new RegExp(
  String.raw`(?:${OPENINGS})\s+(?<names>[^;]{5,700}?)(?=;|${STOP}|WHEREAS|WITNESSETH|RECITALS|\b(?:in connection|for the purpose|relating|concerning|regarding|with respect|in order)\b|$)`,
  'u',
);
/** A party's name, followed by a defined term in brackets or by a description after a comma. */
const PARTY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<name>(?:\p{Lu}|\p{N}+(?=\p{L}|\s\p{Lu}))[\p{L}\p{N}&'’.-]*(?:\s+(?:${PARTICLES})?\s*[\p{Lu}\p{N}][\p{L}\p{N}&'’.-]*){0,7}(?:,\s*(?:[Ii][Nn][Cc]|[Ll][Ll][Cc]|[Ll][Tt][Dd]|L\.L\.C|L\.P|N\.A|S\.A|Corp|Co)\b\.?)?)(?=\s*,|\s*\(|\s+(?:${AND})\s|\s*[.;]|\s*$)`,
  'gu',
);
const NO_PARTY =
  /^(?:the|this|that|a|an|each|and|or|as|with|its|his|her|state|delaware|company|agreement|effective|exhibit|section|disclosing|receiving|recipient|party|parties|january|february|march|april|may|june|july|august|september|october|november|december)\b|^\p{L}+\.?$|^[A-Z]{2}\s\d{5}/iu;
const DESCRIBED = new RegExp(
  String.raw`^\s*(?:\((?:[“"]|the\b|hereinafter|together|collectively)|,\s+(?:${alternatives(({ agreements }) => agreements?.partyDescriptions)})(?!\p{L})|,?\s*$)`,
  'u',
);

/** Returns the parties named in an agreement's opening. */
export function partiesOfAgreement(document: SegmentedDocument, labelledTexts: readonly LabelledText[]): Place[] {
  for (const segment of document.segments.slice(0, OPENING_SEGMENTS)) {
    const text = segment.text.slice(0, 3_000);
    const match = OPENING.exec(text);
    const names = match?.groups?.['names'];
    if (match === null || names === undefined) continue;
    const offset = match.index + match[0].indexOf(names);
    const found = [...names.matchAll(PARTY)].flatMap((party) => {
      const name = party.groups?.['name'] ?? '';
      const rest = names.slice(party.index + name.length);
      const legal = /\s/u.test(name) && (LEGAL.test(name) || companiesIn(name).length > 0);
      if (name.length < 4 || (NO_PARTY.test(name) && !legal)) return [];
      if (!legal && !DESCRIBED.test(rest)) return [];
      return [{ segment, start: offset + party.index, end: offset + party.index + name.length, score: 0.7 }];
    });
    if (found.length >= 2) return found.slice(0, MAX_PARTIES);
  }
  const numbered = numberedParties(document);
  if (numbered.length > 0) return numbered;
  const inRoles = partiesByRole(labelledTexts);
  return inRoles.length > 0 ? inRoles : definedParties(document);
}

const ROLES = new Set(LANGUAGES.flatMap(({ agreements }) => phrasesIn(agreements?.roles)));
const ROLE_SCORE = 0.6;

/** Finds parties in a list of key terms, where the label is the role of the party. */
function partiesByRole(labelledTexts: readonly LabelledText[]): Place[] {
  const roles = new Set<string>();
  const found = labelledTexts.flatMap(({ words, segment, start, end }): Place[] => {
    const role = words.filter((word) => word !== 'the').join(' ');
    const text = segment.text.slice(start, end);
    const isName = /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) && text.length <= MAX_NAME_LENGTH;
    if (!ROLES.has(role) || roles.has(role) || !isName || segment.index > OPENING_SEGMENTS) return [];
    roles.add(role);
    const company = companiesIn(text).find((one) => one.start === 0);
    const length = company?.end ?? NAME_ENDS.exec(text)?.index ?? text.length;
    return [{ segment, start, end: start + length, score: ROLE_SCORE }];
  });
  return found.length >= 2 ? found : [];
}

const BETWEEN = new RegExp(String.raw`^(?:${alternatives(({ agreements }) => agreements?.between)})\s*:?$`, 'iu');
const NUMBERED = /^\(?(?:\d{1,2}|[A-Za-z])[).]\s+(?=\p{Lu})|^(?=\p{Lu})/u;
const NAME_ENDS = /\s*[,(;]|\s+(?:whose|of|incorporated|registered)\s|$/u;

/** Finds parties on lines of their own after a line that consists of "BETWEEN". */
function numberedParties({ segments }: SegmentedDocument): Place[] {
  const opening = segments.slice(0, OPENING_SEGMENTS).find(({ text }) => BETWEEN.test(text.trim()));
  if (opening === undefined) return [];
  const found: Place[] = [];
  for (const segment of segments.slice(opening.index + 1, opening.index + 1 + MAX_PARTIES)) {
    if (AND_LINE.test(segment.text.trim())) continue;
    const lead = NUMBERED.exec(segment.text);
    if (lead === null) break;
    const start = lead[0].length;
    const company = companiesIn(segment.text).find((one) => one.start === start);
    const length =
      company === undefined ? (NAME_ENDS.exec(segment.text.slice(start))?.index ?? 0) : company.end - start;
    const isNamed = length >= 4 && length <= MAX_NAME_LENGTH && (company !== undefined || lead[0] !== '');
    if (!isNamed) break;
    found.push({ segment, start, end: start + length, score: 0.7 });
  }
  return found.length >= 2 ? found : [];
}

const OPENING_SEGMENTS = 40;
const MAX_PARTIES = 12;
const MAX_NAME_LENGTH = 80;
const LEGAL =
  /(?:\b(?:inc|llc|ltd|limited|corp|corporation|company|gmbh|ag|plc|llp|bv|nv|sa|lp)|l\.l\.c|l\.p|n\.a|s\.a|b\.v|n\.v)\.?$/iu;

/** A defined term after a name, as in `Acme Ltd (the "Company")`. Agreements give defined terms to their parties. */
const DEFINED = /^(?:,[^()]{0,80})?\s*\((?:the\s+|hereinafter\s+|as\s+|each,?\s+)*[“"«„]/u;
/** Number of segments at the start of a letter that name its sender and its addressee. */
const LETTERHEAD_SEGMENTS = 10;

/** Finds the parties of an agreement in the form of a letter: its addressee and the company with a defined term. */
function definedParties({ segments }: SegmentedDocument): Place[] {
  const head = segments.slice(0, LETTERHEAD_SEGMENTS).flatMap((segment) => {
    const company = segment.text.length > 300 ? undefined : companiesIn(segment.text).find(({ start }) => start === 0);
    return company === undefined ? [] : [{ segment, ...company, score: 0.55 }];
  });
  const defined = segments.slice(0, OPENING_SEGMENTS).flatMap((segment) =>
    [...segment.text.slice(0, 3_000).matchAll(PARTY)].flatMap((party): Place[] => {
      const name = party.groups?.['name'] ?? '';
      const isParty = companiesIn(name).length > 0 && DEFINED.test(segment.text.slice(party.index + name.length));
      return isParty ? [{ segment, start: party.index, end: party.index + name.length, score: 0.55 }] : [];
    }),
  );
  const known = new Set<string>();
  const found = [...head, ...defined].filter(({ segment, start, end }) => {
    const name = segment.text.slice(start, end);
    return !known.has(name) && known.add(name);
  });
  return found.length === 2 ? found : [];
}
