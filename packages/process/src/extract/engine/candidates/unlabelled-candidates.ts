/** Finds candidates without a label: the issuer, addresses, the currency, the only date or e-mail address. */
import { addressParts, countryIn } from '../parties/addresses.ts';
import type { Candidate } from './candidate.ts';
import type { Place } from './place.ts';
import { convert, type Conventions } from '../values/convert.ts';
import type { Field } from '../fields/fields.ts';
import { means } from '../fields/meaning.ts';
import { contractCandidates } from '../agreements/agreement-terms.ts';
import { currenciesIn, currencyOf } from '../values/numbers.ts';
import type { Parties, PartySpan } from '../parties/parties.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { ConfirmedAmounts } from '../values/confirmed-amounts.ts';
import type { ValueKind } from '../lexicon/concepts.ts';

interface InferredPlace extends Place {
  /** The value, when it differs from the text itself. */
  value?: string;
}

/** Minimum certainty of a value, and scores of kinds whose first value in the document is probably the right one. */
const FIRST_CERTAINTY = 0.6;
const FIRST: Partial<Record<ValueKind, number>> = { email: 0.5, url: 0.45, iban: 0.6, vat: 0.45, phone: 0.55 };

export function unlabelledCandidates(
  field: Field,
  document: SegmentedDocument,
  parties: Parties,
  confirmedAmounts: ConfirmedAmounts,
  conventions: Conventions,
): Candidate[] {
  const places: InferredPlace[] = [
    ...placesOf(field, document, parties),
    ...totals(field, document, confirmedAmounts),
    ...field.kinds.flatMap((kind) => (FIRST[kind] === undefined ? [] : firstOf(kind, FIRST[kind], document))),
    ...contractCandidates(field, document),
  ];
  return places.flatMap(({ segment, start, end, score, value: inferred }) => {
    const span =
      inferred === undefined ? (segment.spans.find((one) => one.start === start && one.end === end) ?? null) : null;
    const value = convert(inferred ?? segment.text.slice(start, end), span, field.shape, conventions);
    return value === undefined ? [] : [{ field, value, segment, start, end, score, shared: true }];
  });
}

function placesOf(field: Field, document: SegmentedDocument, parties: Parties): InferredPlace[] {
  // `street2` is not the first line of the street.
  if (/[2-9]$/.test(field.name)) return [];
  const address = (): readonly PartySpan[] => parties.addresses(field.ofCustomer ? 'customer' : 'issuer');
  if (means(field, 'vendorName')) return parties.issuers.map(asPlace);
  if (means(field, 'customerName')) return parties.customers.map(asPlace);
  if (means(field, 'vendorAddress') || means(field, 'customerAddress')) return address().map(asPlace);
  if (means(field, 'street')) return address().flatMap((place) => part(place, 'street'));
  if (means(field, 'zip')) return address().flatMap((place) => part(place, 'zip'));
  if (means(field, 'city')) return address().flatMap((place) => part(place, 'city'));
  if (means(field, 'state')) return address().flatMap((place) => part(place, 'state'));
  if (means(field, 'country')) return address().flatMap((place) => country(place, field));
  if (means(field, 'currencySymbol')) return currencies(document, true);
  if (means(field, 'currency')) return currencies(document, false);
  if (means(field, 'documentDate')) return firstOf('date', 0.42, document);
  return [];
}

const asPlace = ({ whole, ...place }: PartySpan): InferredPlace =>
  whole === undefined ? place : { ...place, value: whole };

/** Finds amounts that are totals by arithmetic alone. */
function totals(field: Field, document: SegmentedDocument, confirmedAmounts: ConfirmedAmounts): InferredPlace[] {
  if (!means(field, 'total')) return [];
  return document.segments.flatMap((segment) =>
    segment.spans
      .filter((span) => span.kind === 'amount' && confirmedAmounts.confirms('total', segment, span))
      .map(({ start, end }) => ({ segment, start, end, score: 0.7 })),
  );
}

function part(place: PartySpan, name: 'street' | 'zip' | 'city' | 'state'): InferredPlace[] {
  const text = place.segment.text.slice(place.start, place.end);
  const value = addressParts(place.whole ?? text)[name];
  if (value === undefined) return [];
  const score = place.score * 0.95;
  const at = text.lastIndexOf(value);
  if (at >= 0)
    return [{ segment: place.segment, start: place.start + at, end: place.start + at + value.length, score }];
  return [{ segment: place.segment, start: place.start, end: place.end, score, value }];
}

function country(place: PartySpan, field: Field): InferredPlace[] {
  const text = place.segment.text.slice(place.start, place.end);
  const found = countryIn(place.whole ?? text);
  if (found === null) return [];
  const start = place.start + Math.max(0, text.lastIndexOf(found.name));
  const code = field.nameWords.has('code') || /code|iso|alpha/i.test(`${field.name} ${field.shape.description}`);
  const base: InferredPlace = {
    segment: place.segment,
    start,
    end: start + found.name.length,
    score: place.score * 0.95,
  };
  return [code ? { ...base, value: found.code } : base];
}

/** Finds the currencies, scored by how often they are named, including amounts. */
function currencies(document: SegmentedDocument, asPrinted: boolean): InferredPlace[] {
  const tally = new Map<string, InferredPlace & { count: number }>();
  const count = (segment: Segment, start: number, symbol: string, code: string): void => {
    const known = tally.get(code);
    if (known !== undefined) known.count += 1;
    else
      tally.set(code, {
        segment,
        start,
        end: start + symbol.length,
        score: 0,
        value: asPrinted ? symbol : code,
        count: 1,
      });
  };
  for (const segment of document.segments) {
    for (const { number } of segment.spans)
      if (number?.symbol != null) {
        const code = currencyOf(number.symbol);
        const at = segment.text.indexOf(number.symbol, Math.max(0, number.start - number.symbol.length - 2));
        if (code !== null && at >= 0) count(segment, at, number.symbol, code);
      }
    for (const { code, symbol, start } of currenciesIn(segment.text.slice(0, 5_000)))
      count(segment, start, symbol, code);
  }
  const all = [...tally.values()];
  const total = all.reduce((sum, one) => sum + one.count, 0);
  return all.map((one) => ({ ...one, score: 0.45 + 0.45 * (one.count / total) }));
}

function firstOf(kind: ValueKind, score: number, document: SegmentedDocument): InferredPlace[] {
  for (const segment of document.segments)
    for (const span of segment.spans)
      if (span.kind === kind && span.certainty >= FIRST_CERTAINTY)
        return [{ segment, start: span.start, end: span.end, score: score * span.certainty }];
  return [];
}
