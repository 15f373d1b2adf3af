/** Finds the governing law and the effective date of an agreement in its sentences. */
import { LANGUAGES } from '../lexicon/languages.ts';
import type { Field } from '../fields/fields.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';

interface Place {
  segment: Segment;
  start: number;
  end: number;
  score: number;
}

const GOVERNING_LAW = LANGUAGES.flatMap(({ agreements }) => agreements?.governingLaw ?? []);
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
    GOVERNING_LAW.flatMap((pattern) => {
      const match = pattern.exec(segment.text);
      const place = match?.groups?.['place'];
      if (match === null || place === undefined) return [];
      const start = match.index + match[0].lastIndexOf(place);
      return [{ segment, start, end: start + place.replace(/\.$/, '').length, score: 0.85 }];
    }),
  );
}
