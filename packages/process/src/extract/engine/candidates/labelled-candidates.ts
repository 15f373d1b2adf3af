/** Finds candidates by label: typed values with the words around them, and free text after a label. */
import { streetStart } from '../parties/addresses.ts';
import { isNoTerm } from '../agreements/agreement-terms.ts';
import { isRole } from '../agreements/defined-roles.ts';
import type { Candidate } from './candidate.ts';
import { convert, type Conventions } from '../values/convert.ts';
import { holdsContent } from '../fields/content.ts';
import type { Field } from '../fields/fields.ts';
import { means } from '../fields/meaning.ts';
import type { Label, Labels } from '../labels/labels.ts';
import { lineEnd, type Segment } from '../document/segments.ts';
import type { LabelScorer } from '../labels/label-scorer.ts';
import type { LabelledText } from '../labels/labelled-texts.ts';
import type { ConfirmedAmounts } from '../values/confirmed-amounts.ts';
import { companiesIn, companyEnd } from '../parties/company-names.ts';
import { continuesName } from '../parties/parties.ts';
import { overlaps, type ValueSpan } from '../values/value-spans.ts';
import type { ValueKind } from '../lexicon/concepts.ts';

export interface LabelledDeps {
  segments: readonly Segment[];
  labels: Labels;
  labelledTexts: readonly LabelledText[];
  scorer: LabelScorer;
  conventions: Conventions;
  confirmedAmounts: ConfirmedAmounts;
}

/** Kinds that are recognised by their form. */
const FORMED_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>([
  'date',
  'amount',
  'percent',
  'number',
  'email',
  'phone',
  'url',
  'iban',
  'bic',
  'vat',
  'id',
  'duration',
]);
/** Kinds that may be any words after a label. */
const FREE_TEXT_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>([
  'text',
  'company',
  'person',
  'address',
  'boolean',
  'law',
  'street',
  'city',
  'zip',
  'state',
  'country',
]);
/** Kinds whose values may contain numbers that are no values of their own. */
const COMPOSITE_KINDS: readonly ValueKind[] = ['email', 'url', 'iban'];
const MIN_SIMILARITY = 0.4;
/** Maximum number of words of a free text by kind. */
const MAX_WORDS: Partial<Record<ValueKind, number>> = {
  company: 9,
  person: 6,
  boolean: 3,
  law: 8,
  street: 8,
  city: 4,
  zip: 3,
  state: 4,
  country: 4,
};

/** A value with its labels, computed once for all fields. */
interface Labelled {
  segment: Segment;
  span: ValueSpan;
  labels: readonly Label[];
}

export class LabelledCandidates {
  readonly #deps: LabelledDeps;
  readonly #spans = new Map<ValueKind, Labelled[]>();

  constructor(deps: LabelledDeps) {
    this.#deps = deps;
    for (const segment of deps.segments) {
      const known = new Map<number, readonly Label[]>();
      for (const span of segment.spans) {
        const labels = known.get(span.start) ?? deps.labels.of(segment, span);
        known.set(span.start, labels);
        if (labels.length === 0) continue;
        const same = this.#spans.get(span.kind);
        if (same === undefined) this.#spans.set(span.kind, [{ segment, span, labels }]);
        else same.push({ segment, span, labels });
      }
    }
  }

  of(field: Field): Candidate[] {
    return field.kinds.flatMap((kind, order) => {
      const preference = 1 - 0.04 * order;
      if (FORMED_KINDS.has(kind)) return this.#formed(field, kind, preference);
      return FREE_TEXT_KINDS.has(kind) ? this.#free(field, kind, preference) : [];
    });
  }

  #formed(field: Field, kind: ValueKind, preference: number): Candidate[] {
    const { scorer, conventions } = this.#deps;
    return (this.#spans.get(kind) ?? []).flatMap(({ segment, span, labels }) => {
      let best = 0;
      for (const label of labels) best = Math.max(best, scorer.score(label, field));
      if (best < MIN_SIMILARITY) return [];
      if (field.kinds[0] === 'amount' && isCode(span)) return [];
      if (this.#deps.confirmedAmounts.isPartOfTax(field, segment, span)) return [];
      if (kind === 'duration' && isTerm(field) && isNoTerm(this.#deps.segments, segment, span)) return [];
      // An identifier may overlap another kind of value: an amount, a date or a part of an IBAN.
      const wholes = field.kinds.includes('vat') ? [...COMPOSITE_KINDS, 'vat'] : COMPOSITE_KINDS;
      const inside =
        kind === 'id' && segment.spans.some((other) => wholes.includes(other.kind) && overlaps(other, span));
      const value = convert(segment.text.slice(span.start, span.end), span, field.shape, conventions);
      const plain =
        value === undefined || span.number?.symbol == null ? value : convert(span.text, span, field.shape, conventions);
      if (plain === undefined) return [];
      // Later amounts score higher, because totals come last.
      const late = kind === 'amount' ? (0.04 * segment.index) / this.#deps.segments.length : 0;
      const score =
        best *
          preference *
          (0.72 + 0.28 * span.certainty) *
          (inside ? 0.7 : 1) *
          (isExplained(segment, span) ? 0.7 : 1) +
        late +
        this.#deps.confirmedAmounts.bonus(field, segment, span);
      const limit = kind === 'amount' ? this.#deps.confirmedAmounts.limit(field, segment, span) : undefined;
      const known = limit === undefined ? {} : { limit };
      return [{ field, value: plain, segment, start: span.start, end: span.end, score, ...known, shared: false }];
    });
  }

  #free(field: Field, kind: ValueKind, preference: number): Candidate[] {
    const { labelledTexts, scorer, conventions } = this.#deps;
    return labelledTexts.flatMap((labelled) => {
      const best = scorer.score({ words: labelled.words, distance: 0.12, weight: labelled.weight }, field);
      if (best < MIN_SIMILARITY) return [];
      const { segment, start } = labelled;
      const isName = kind === 'company' || kind === 'person';
      const last = isName ? Math.min(labelled.end, lineEnd(segment, start)) : labelled.end;
      const end = freeTextEnd(segment.text, start, last, kind);
      const text = segment.text.slice(start, end);
      if (text === '' || text.split(/\s+/).length > (MAX_WORDS[kind] ?? 80)) return [];
      if (!holdsContent(text, field.content)) return [];
      if (isRole(text) && isRole(field.name)) return [];
      if (isName) {
        if ((text.match(/\p{L}/gu) ?? []).length < text.length * 0.55 || /@|www\.|^[^\p{L}]*\p{Ll}/u.test(text))
          return [];
        if (scorer.isNoName(segment.text, start, end) || scorer.namesNumber(labelled.words)) return [];
      }
      // A law is named by a place or an adjective of four letters at least.
      if (kind === 'law' && !/\p{Lu}|\p{Lo}|\p{Ll}{4}/u.test(text)) return [];
      const value = convert(this.#wholeName(field, kind, segment, text), null, field.shape, conventions);
      if (value === undefined) return [];
      return [{ field, value, segment, start, end, score: best * preference * 0.94, shared: false }];
    });
  }

  /** Returns the name of an issuer with its second line. A recipient's second line may be the firm of a person. */
  #wholeName(field: Field, kind: ValueKind, segment: Segment, text: string): string {
    const next = this.#deps.segments[segment.index + 1];
    const isIssuer = kind === 'company' && means(field, 'vendorName');
    const goesOn = isIssuer && next !== undefined && text === segment.text.trim() && continuesName(segment, next);
    return goesOn ? `${text} ${next.text.trim()}` : text;
  }
}

/** Returns whether an identifier is alone in brackets, as the code of a kind of document in `Invoice (380)`. */
const isExplained = ({ text }: Segment, { kind, start, end }: ValueSpan): boolean =>
  kind === 'id' && text.charAt(start - 1) === '(' && text.charAt(end) === ')';

/** Returns whether a number is the code of an article or a company rather than a sum of money. */
const isCode = ({ text }: ValueSpan): boolean => /^\d{10,}$/u.test(text);

/** Returns whether the field is how long something lasts, and not a period of notice. */
const isTerm = ({ targets }: Field): boolean => (targets.get('term') ?? 0) > (targets.get('noticePeriod') ?? 0);

/** Returns the end of a free text. Names end at a comma with more text, sentences at their full stop. */
function freeTextEnd(text: string, start: number, end: number, kind: ValueKind): number {
  const part = text.slice(start, end);
  if (kind === 'boolean') return start + (/^\S+/.exec(part)?.[0].length ?? 0);
  if (kind === 'law') return start + part.replace(/[\s.]+$/, '').length;
  if (kind === 'company' || kind === 'person') {
    const company = companiesIn(part).find((one) => one.start === 0);
    if (company !== undefined) return start + (end === text.length ? companyEnd(part, company.end) : company.end);
    const stop = /\s+[-–|·]\s+|,\s+(?!(?:inc|llc|ltd|l\.l\.c)\b)|\s\(|\s+(?=\p{L}{0,3}\p{N}{2})/iu.exec(part);
    const whole = stop === null ? part : part.slice(0, stop.index);
    const street = streetStart(whole);
    return (
      start +
      (street === null || street === 0 ? whole : whole.slice(0, street)).replace(/[\s.,;:]+$/, (tail) =>
        tail.startsWith('.') ? '.' : '',
      ).length
    );
  }
  return start + part.length;
}
