/** What agreements say in sentences: whose law governs, who the parties are. */
import type { Field } from './fields.ts';
import type { Reading, Segment } from './segments.ts';

interface Place {
  segment: Segment;
  start: number;
  end: number;
  score: number;
}

const PLACE = String.raw`(?<place>\p{Lu}\p{L}+(?:\s+(?:of\s+|and\s+)?\p{Lu}\p{L}+){0,3})`;
const LAW = new RegExp(
  String.raw`(?:[Gg]overned|GOVERNED|[Cc]onstrued|[Ii]nterpreted|[Ee]nforced)[^.;]{0,120}?(?:[Ll]aws?|LAWS?|legislation)\s+(?:of|OF)\s+(?:(?:the|THE)\s+)?(?:(?:[Ss]tate|STATE|[Cc]ommonwealth|[Pp]rovince|[Rr]epublic|[Kk]ingdom)\s+(?:of|OF)\s+)?${PLACE}`,
  'u',
);
const NATIONAL_LAW = /(?:unterliegt|gilt)[^.;]{0,60}?(?<place>\p{L}+(?:em|es)?)\s+Recht/iu;
const AFFINITY = 0.5;

export function contractCandidates(field: Field, reading: Reading): Place[] {
  if ((field.targets.get('jurisdiction') ?? 0) < AFFINITY) return [];
  return reading.segments.flatMap((segment) =>
    [LAW, NATIONAL_LAW].flatMap((pattern) => {
      const match = pattern.exec(segment.text);
      const place = match?.groups?.['place'];
      if (match === null || place === undefined) return [];
      const start = match.index + match[0].lastIndexOf(place);
      return [{ segment, start, end: start + place.replace(/\.$/, '').length, score: 0.85 }];
    }),
  );
}

/** Where an agreement names its parties: up to the sentence's end, or to where its recitals begin. */
const OPENING =
  /(?:\b(?:by and )?(?:between|among|BETWEEN|AMONG)\b|\b(?:entered into|made)\b[^.;]{0,80}?\bby\b|\bzwischen\b|\bentre\b|\btussen\b)\s+(?<names>[^;]{5,700}?)(?=;|\.\s+(?:[A-Z][a-z]|\d)|WHEREAS|WITNESSETH|RECITALS|\b(?:in connection|for the purpose|relating|concerning|regarding|with respect|in order)\b|$)/u;
/** A defined name follows in brackets, or a description after a comma. */
const PARTY =
  /(?<![\p{L}\p{N}])(?<name>(?:\p{Lu}|\p{N}+(?=\p{L}|\s\p{Lu}))[\p{L}\p{N}&'’.-]*(?:\s+(?:of|and|&|the|de|von|van)?\s*[\p{Lu}\p{N}][\p{L}\p{N}&'’.-]*){0,7}(?:,\s*(?:[Ii][Nn][Cc]|[Ll][Ll][Cc]|[Ll][Tt][Dd]|L\.L\.C|L\.P|N\.A|S\.A|Corp|Co)\b\.?)?)(?=\s*,|\s*\(|\s+(?:and|und|et|en)\s|\s*[.;]|\s*$)/gu;
const NO_PARTY =
  /^(?:the|this|that|a|an|each|and|or|as|with|its|his|her|state|delaware|company|agreement|effective|exhibit|section|disclosing|receiving|recipient|party|parties|january|february|march|april|may|june|july|august|september|october|november|december)\b|^\p{L}+\.?$|^[A-Z]{2}\s\d{5}/iu;
const DESCRIBED =
  /^\s*(?:\((?:[“"]|the\b|hereinafter|together|collectively)|,\s+(?:an?|the|with|having|whose|located|organi[sz]ed|acting|individually|its)\b|,?\s*$)/u;

/** The parties named in an agreement's opening. */
export function partiesOfAgreement(reading: Reading): Place[] {
  for (const segment of reading.segments.slice(0, OPENING_SEGMENTS)) {
    const text = segment.text.slice(0, 3_000);
    const match = OPENING.exec(text);
    const names = match?.groups?.['names'];
    if (match === null || names === undefined) continue;
    const offset = match.index + match[0].indexOf(names);
    const found = [...names.matchAll(PARTY)].flatMap((party) => {
      const name = party.groups?.['name'] ?? '';
      const rest = names.slice(party.index + name.length);
      const legal = LEGAL.test(name);
      if (name.length < 4 || (NO_PARTY.test(name) && !legal)) return [];
      if (!legal && !DESCRIBED.test(rest)) return [];
      return [{ segment, start: offset + party.index, end: offset + party.index + name.length, score: 0.7 }];
    });
    if (found.length >= 2) return found.slice(0, MAX_PARTIES);
  }
  return [];
}

const OPENING_SEGMENTS = 40;
const MAX_PARTIES = 12;
const LEGAL =
  /(?:\b(?:inc|llc|ltd|limited|corp|corporation|company|gmbh|ag|plc|llp|bv|nv|sa|lp)|l\.l\.c|l\.p|n\.a|s\.a|b\.v|n\.v)\.?$/iu;
