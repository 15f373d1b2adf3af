/** What agreements say in sentences: whose law governs, who the parties are. */
import type { Field } from './fields.ts';
import type { Reading, Segment } from './segments.ts';

interface Place {
  segment: Segment;
  start: number;
  end: number;
  score: number;
}

const PLACE = String.raw`(?<place>\p{Lu}[\p{L}.]+(?:\s+(?:of\s+|and\s+)?\p{Lu}[\p{L}.]+){0,3})`;
const LAW = new RegExp(
  String.raw`(?:governed|construed|interpreted|enforced)[^.;]{0,120}?(?:laws?|legislation)\s+of\s+(?:the\s+)?(?:(?:state|commonwealth|province|republic|kingdom)\s+of\s+)?${PLACE}`,
  'iu',
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

const BETWEEN =
  /(?:by and )?(?:between|among|zwischen|entre|tussen|tra)\s+(?<first>[^;]{3,300}?)\s*(?:\([^)]{0,160}\)\s*)?,?\s+(?:and|und|et|en|e|y)\s+(?<second>[^;]{3,200}?)(?=\s*\(|,\s+(?:a|an|with|having|whose|located|organized|who)\s|\.\s|;|$)/u;
const NAME =
  /^(?<name>[\p{Lu}\p{N}][^,(“"]*?(?:,\s*(?:inc|llc|ltd|l\.l\.c|l\.p|n\.a|s\.a|corp|co)\b\.?)?)(?=\s*[,(“"]|$)/iu;

/** The parties named in an agreement's opening. */
export function partiesOfAgreement(reading: Reading): Place[] {
  for (const segment of reading.segments) {
    const match = BETWEEN.exec(segment.text.slice(0, 3_000));
    const found = [match?.groups?.['first'], match?.groups?.['second']].flatMap((text) => {
      if (text === undefined || match === null) return [];
      const name = NAME.exec(text.replace(/^the\s+/i, ''))?.groups?.['name']?.trim();
      if (name === undefined || name.length < 3 || name.split(/\s+/).length > 8 || !/^\p{Lu}/u.test(name)) return [];
      const start = segment.text.indexOf(name, match.index);
      return start < 0 ? [] : [{ segment, start, end: start + name.length, score: 0.7 }];
    });
    if (found.length === 2) return found;
  }
  return [];
}
