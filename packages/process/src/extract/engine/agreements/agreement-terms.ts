/** Finds the governing law and the effective date of an agreement in its sentences. */
import type { Field } from '../fields/fields.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';

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
/** Patterns for the law of a country named by an adjective, and for other languages. */
const LAWS = [
  LAW,
  /(?:governed|construed)[^.;]{0,60}?\b(?:by|with)\s+(?:the\s+)?(?<place>\p{Lu}\p{L}+)\s+law\b/u,
  /(?:unterliegt|gilt|untersteht)[^.;]{0,60}?\s(?<place>\p{L}{4,}(?:em|es|e))\s+Recht(?!\p{L})/u,
  /(?:unterliegt|gilt|untersteht)[^.;]{0,60}?\sRecht\s+(?:der|des|von)\s+(?:Bundesrepublik\s+|Republik\s+|Kantons\s+)?(?<place>\p{Lu}\p{L}+)/u,
  /(?:soumis|régi|régie|interprété)[^.;]{0,60}?(?:droit|lois?)\s+(?:de\s+(?:la\s+|l['’])?)?(?<place>\p{L}{4,})/u,
  /(?:se\s+rige|se\s+regirá|regirse|se\s+someterá|sometido)[^.;]{0,60}?(?:legislación|derecho|leyes|ley)\s+(?:de\s+(?:la\s+|el\s+)?)?(?<place>\p{L}{4,})/u,
  /(?:regolat[oa]|disciplinat[oa]|soggett[oa])[^.;]{0,60}?(?:legge|leggi|diritto)\s+(?:della\s+|dello\s+)?(?<place>\p{L}{4,})/u,
  /(?:is|wordt|zijn)\b[^.;]{0,60}?(?<place>\p{Lu}\p{L}{3,}s)\s+recht(?!\p{L})/u,
];
const AFFINITY = 0.5;

/** A date named as the effective date, as in `July 31, 2008 (the "Effective Date")`. */
const NAMED_EFFECTIVE = /^,?\s*\((?:the\s+|as\s+|hereinafter\s+)*[“"«„]\s*(?:effective|commencement)\s+date/iu;

export function contractCandidates(field: Field, document: SegmentedDocument): Place[] {
  const means = (concept: string): boolean => (field.targets.get(concept) ?? 0) >= AFFINITY;
  if (means('effectiveDate')) return effectiveDates(document);
  return means('jurisdiction') ? laws(document) : [];
}

const effectiveDates = ({ segments }: SegmentedDocument): Place[] =>
  segments.flatMap((segment) =>
    segment.spans
      .filter(({ kind, end }) => kind === 'date' && NAMED_EFFECTIVE.test(segment.text.slice(end, end + 60)))
      .map(({ start, end }) => ({ segment, start, end, score: 0.97 })),
  );

function laws(document: SegmentedDocument): Place[] {
  return document.segments.flatMap((segment) =>
    LAWS.flatMap((pattern) => {
      const match = pattern.exec(segment.text);
      const place = match?.groups?.['place'];
      if (match === null || place === undefined) return [];
      const start = match.index + match[0].lastIndexOf(place);
      return [{ segment, start, end: start + place.replace(/\.$/, '').length, score: 0.85 }];
    }),
  );
}
