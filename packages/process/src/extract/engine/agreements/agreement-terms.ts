/** Finds the governing law, the effective date, the term and the period of notice of an agreement in its sentences. */
import { LANGUAGES } from '../lexicon/languages.ts';
import type { Field } from '../fields/fields.ts';
import { partiesDefinedAs } from './defined-roles.ts';
import { means } from '../fields/meaning.ts';
import { alternatives, wordPattern } from '../lexicon/lexicon.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { ValueSpan } from '../values/value-spans.ts';
import type { Place } from '../candidates/place.ts';
import { OPENING_SEGMENTS, OPENING_WORDS } from './opening.ts';

const GOVERNING_LAW = LANGUAGES.flatMap(({ agreements }) => agreements?.governingLaw ?? []);
const OPENING = new RegExp(OPENING_WORDS, 'u');

/** A date named as the effective date, as in `July 31, 2008 (the "Effective Date")`. */
const NAMED_EFFECTIVE = /^,?\s*\((?:the\s+|as\s+|hereinafter\s+)*[“"«„]\s*(?:effective|commencement)\s+date/iu;

/** A definition before a date, as in `"Effective Date" means the date of installation, December 10, 1993`. */
const DEFINED_EFFECTIVE =
  /(?<!\p{L})(?:effective|commencement)\s+date["”»]?\s+(?:shall\s+mean|shall\s+be|means|is)(?!\p{L})[^;]{0,120}$/iu;

export function contractCandidates(field: Field, document: SegmentedDocument): Place[] {
  if (means(field, 'effectiveDate'))
    return [...effectiveDates(document), ...openingDates(document), ...lettersDate(document)];
  if (means(field, 'term')) return termsStated(document);
  if (means(field, 'noticePeriod')) return noticesStated(document);
  return means(field, 'jurisdiction') ? laws(document) : partiesDefinedAs(field, document);
}

const effectiveDates = ({ segments }: SegmentedDocument): Place[] =>
  segments.flatMap((segment) =>
    segment.spans
      .filter(
        ({ kind, start, end }) =>
          kind === 'date' &&
          (NAMED_EFFECTIVE.test(segment.text.slice(end, end + 60)) ||
            DEFINED_EFFECTIVE.test(segment.text.slice(Math.max(0, start - 160), start))),
      )
      .map(({ start, end }) => ({ segment, start, end, score: 0.97 })),
  );

const OPENING_DATE = 0.6;
/** Maximum number of characters between the date and the opening of the list of parties. */
const OPENING_REACH = 200;

/** Finds the date in the sentence that names the parties: without another date the agreement applies from it. */
function openingDates({ segments }: SegmentedDocument): Place[] {
  for (const segment of segments.slice(0, OPENING_SEGMENTS)) {
    const opening = segment.text.search(OPENING);
    const date = segment.spans.find(({ kind, start, end }) => {
      const gap = start > opening ? start - opening : opening - end;
      return kind === 'date' && gap < OPENING_REACH;
    });
    if (opening >= 0 && date !== undefined) return [{ segment, start: date.start, end: date.end, score: OPENING_DATE }];
  }
  return [];
}

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
/** Words after a period that begins with a notice, as in "cured within 30 days after notice of the breach". */
const SINCE = new RegExp(
  String.raw`^['’]?s?[\s,]+(?:${alternatives(({ agreements }) => agreements?.since)})(?!\p{L})`,
  'iu',
);
const AFTER_END = new RegExp(
  String.raw`^[\s,]*(?:${alternatives(({ agreements }) => agreements?.afterEnd)})(?!\p{L})`,
  'iu',
);
const DEADLINE = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ agreements }) => agreements?.deadline)})\s+(?:\p{L}+\s+){0,2}$`,
  'iu',
);
const RESTRAINT = wordPattern(alternatives(({ agreements }) => agreements?.restraint));
const ENDING = wordPattern(alternatives(({ agreements }) => agreements?.ending));
const BREACH = wordPattern(alternatives(({ agreements }) => agreements?.breach));
/** Maximum number of characters of a sentence that are read on each side of a period. */
const SENTENCE_REACH = 220;
const SENTENCE_END = /[.;:]\s/u;
const STATED = 0.86;
const NOTICE_STATED = 0.72;
/** Added to the score in a sentence about the end of the agreement, and subtracted in one about a breach. */
const ENDING_WEIGHT = 0.1;
const BREACH_WEIGHT = 0.12;

interface Around {
  /** The sentence before and after the period. */
  before: string;
  after: string;
}

type Span = Pick<ValueSpan, 'start' | 'end'>;

function around(segments: readonly Segment[], segment: Segment, { start, end }: Span): Around {
  const before = leadOf(segments, segment) + segment.text.slice(Math.max(0, start - SENTENCE_REACH), start);
  return {
    before: before.split(SENTENCE_END).at(-1) ?? '',
    after: segment.text.slice(end, end + SENTENCE_REACH).split(SENTENCE_END)[0] ?? '',
  };
}

/** Returns the end of the previous segment when the segment continues its sentence, with "and" or "(30) days". */
function leadOf(segments: readonly Segment[], { index, text }: Segment): string {
  const previous = segments[index - 1]?.text.slice(-SENTENCE_REACH).trimEnd() ?? '';
  return /^[(\p{Ll}]/u.test(text) && /[\p{L}\p{N},-]$/u.test(previous) ? `${previous} ` : '';
}

/** Returns whether the period is one of notice. */
function isNotice({ before, after }: Around): boolean {
  return (NOTICE_BEFORE.test(before) || NOTICE_AFTER.test(after)) && !SINCE.test(after);
}

/** Returns whether the period is one of notice, or one in which something must be done or is forbidden. */
export function isNoTerm(segments: readonly Segment[], segment: Segment, span: Span): boolean {
  const sentence = around(segments, segment, span);
  const { before, after } = sentence;
  const isRestraint = RESTRAINT.test(before) || RESTRAINT.test(after);
  return DEADLINE.test(before) || AFTER_END.test(after) || isRestraint || isNotice(sentence);
}

const durationsOf = (segment: Segment): readonly ValueSpan[] => segment.spans.filter(({ kind }) => kind === 'duration');

function termsStated({ segments }: SegmentedDocument): Place[] {
  return segments.flatMap((segment) =>
    durationsOf(segment)
      .filter((span) => {
        const { before, after } = around(segments, segment, span);
        const says = IN_FORCE.test(before) || IN_FORCE.test(segment.text.slice(span.start, span.end) + after);
        return says && !isNoTerm(segments, segment, span);
      })
      .map(({ start, end }) => ({ segment, start, end, score: STATED })),
  );
}

function noticesStated({ segments }: SegmentedDocument): Place[] {
  return segments.flatMap((segment) =>
    durationsOf(segment).flatMap((span): Place[] => {
      const sentence = around(segments, segment, span);
      if (!isNotice(sentence)) return [];
      const text = sentence.before + sentence.after;
      const score = NOTICE_STATED + (ENDING.test(text) ? ENDING_WEIGHT : 0) - (BREACH.test(text) ? BREACH_WEIGHT : 0);
      return [{ segment, start: span.start, end: span.end, score }];
    }),
  );
}

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
