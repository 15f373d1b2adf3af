/** Finds the governing law, the effective date, the term and the period of notice of an agreement in its sentences. */
import { LANGUAGES } from '../lexicon/languages.ts';
import type { Field } from '../fields/fields.ts';
import { alternatives } from '../lexicon/lexicon.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { ValueSpan } from '../values/value-spans.ts';

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
  if (means('effectiveDate')) return [...effectiveDates(document), ...lettersDate(document)];
  if (means('term')) return termsStated(document);
  if (means('noticePeriod')) return noticesStated(document);
  return means('jurisdiction') ? laws(document) : [];
}

const effectiveDates = ({ segments }: SegmentedDocument): Place[] =>
  segments.flatMap((segment) =>
    segment.spans
      .filter(({ kind, end }) => kind === 'date' && NAMED_EFFECTIVE.test(segment.text.slice(end, end + 60)))
      .map(({ start, end }) => ({ segment, start, end, score: 0.97 })),
  );

/** Number of segments at the head of a letter. */
const HEAD_SEGMENTS = 8;
const LETTER_DATE = 0.45;

/** Finds a date on a line of its own at the head: an agreement in the form of a letter applies from its date. */
function lettersDate({ segments }: SegmentedDocument): Place[] {
  return segments.slice(0, HEAD_SEGMENTS).flatMap((segment) => {
    const date = segment.spans.find(({ kind }) => kind === 'date');
    const isAlone = date !== undefined && date.end - date.start >= segment.text.trim().length - 1;
    return isAlone ? [{ segment, start: date.start, end: date.end, score: LETTER_DATE }] : [];
  });
}

const IN_FORCE = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ agreements }) => agreements?.inForce)})(?!\p{L})`,
  'iu',
);
const NOTICE = String.raw`(?:${alternatives(({ agreements }) => agreements?.notice)})(?!\p{L})`;
/** Notice before the period, as in "notice of at least 30 days", or after it, as in "30 days' written notice". */
const NOTICE_BEFORE = new RegExp(String.raw`(?<!\p{L})${NOTICE}[^.;\p{N}]{0,40}$`, 'iu');
const NOTICE_AFTER = new RegExp(String.raw`^['’]?s?[\s,]+(?:in\s+)?(?:\p{L}+\s+){0,2}${NOTICE}`, 'iu');
const DEADLINE = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ agreements }) => agreements?.deadline)})\s+(?:\p{L}+\s+){0,2}$`,
  'iu',
);
/** Maximum number of characters of a sentence that are read on each side of a period. */
const SENTENCE_REACH = 220;
const SENTENCE_END = /[.;:]\s/u;
const STATED = 0.86;
const NOTICE_STATED = 0.8;

interface Around {
  /** The sentence before and after the period. */
  before: string;
  after: string;
}

function around({ text }: Segment, { start, end }: Pick<ValueSpan, 'start' | 'end'>): Around {
  const before = text.slice(Math.max(0, start - SENTENCE_REACH), start);
  return {
    before: before.split(SENTENCE_END).at(-1) ?? '',
    after: text.slice(end, end + SENTENCE_REACH).split(SENTENCE_END)[0] ?? '',
  };
}

/** Returns whether the period is one of notice. */
export function isNotice(segment: Segment, span: Pick<ValueSpan, 'start' | 'end'>): boolean {
  const { before, after } = around(segment, span);
  return NOTICE_BEFORE.test(before) || NOTICE_AFTER.test(after);
}

/** Returns whether something must be done within the period, or it is one of notice: it is no term then. */
export const isDeadline = (segment: Segment, span: Pick<ValueSpan, 'start' | 'end'>): boolean =>
  DEADLINE.test(around(segment, span).before) || isNotice(segment, span);

const durationsOf = (segment: Segment): readonly ValueSpan[] => segment.spans.filter(({ kind }) => kind === 'duration');

function termsStated({ segments }: SegmentedDocument): Place[] {
  return segments.flatMap((segment) =>
    durationsOf(segment)
      .filter((span) => {
        const { before, after } = around(segment, span);
        const says = IN_FORCE.test(before) || IN_FORCE.test(segment.text.slice(span.start, span.end) + after);
        return says && !isDeadline(segment, span);
      })
      .map(({ start, end }) => ({ segment, start, end, score: STATED })),
  );
}

const noticesStated = ({ segments }: SegmentedDocument): Place[] =>
  segments.flatMap((segment) =>
    durationsOf(segment)
      .filter((span) => isNotice(segment, span))
      .map(({ start, end }) => ({ segment, start, end, score: NOTICE_STATED })),
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
