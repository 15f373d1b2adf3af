/** Finds values that can be recognised by their form alone, with their positions in a text. */
import { findDates, type DateSpan } from './dates.ts';
import { findDurations, type DurationSpan } from './durations.ts';
import { findNumbers, type NumberSpan } from './numbers.ts';
import type { ValueKind } from '../lexicon/concepts.ts';

export interface ValueSpan {
  kind: ValueKind;
  start: number;
  end: number;
  text: string;
  /** Certainty of the form, 0..1. */
  certainty: number;
  date?: DateSpan;
  number?: NumberSpan;
  duration?: DurationSpan;
}

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,12}/gu;
const URL_FORM =
  /(?<![@\p{L}\p{N}.])(?:https?:\/\/[^\s<>"')\]]+|www\.[^\s<>"')\]]+|(?:[a-z0-9-]+\.)+(?:com|org|net|eu|io|co|de|fr|nl|be|es|it|pt|uk|ch|at|us|in|my|pl|cz|se|dk|no|fi|ca|au|jp|cn|info|biz|shop)(?:\/[^\s<>"')\]]*)?)(?![@\p{L}])/giu;
const IBAN =
  /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?(?![A-Za-z0-9])|(?<![A-Z0-9])[A-Z]{2}\d{2}(?:\s?(?=[A-Z]{0,4}\d)[A-Z0-9]{2,}){2,8}(?![A-Za-z0-9])/g;
const BIC = /(?<![A-Z0-9])[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])/g;
const VAT =
  /(?<![A-Z0-9])(?:AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[\s-]?(?=[A-Z0-9. -]*\d)(?:[A-Z0-9](?:[ .-](?=[A-Z]{0,3}\d)|)){7,14}(?![A-Za-z0-9])/g;
const PHONE = /(?<![\p{L}\p{N}.,/#-])(?:\+\s?|\(\+?)?\d(?:[\s()./-]{0,3}\d){6,14}(?![\p{L}\p{N}])/gu;
const IDENTIFIER = /(?<![\p{L}\p{N}])(?:#\s?)?[\p{L}\p{N}]+(?:[-_/.#:*][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;
/** Groups of digits, as in registration numbers. */
const GROUPED = /(?<![\p{L}\p{N}.,])\d{2,4}(?:[ \u00a0]\d{3}){2,5}(?![\p{N}.,]\d|\p{L})/gu;

export function findValueSpans(text: string): ValueSpan[] {
  const dates = findDates(text);
  const numbers = findNumbers(text).filter((span) => !dates.some((date) => overlaps(date, span)));
  return [
    ...dates.map((date): ValueSpan => ({
      kind: 'date',
      start: date.start,
      end: date.end,
      text: date.text,
      certainty: 1,
      date,
    })),
    ...numbers.flatMap(numberSpans),
    ...matches(text, EMAIL, 'email', 1),
    ...matches(text, URL_FORM, 'url', 0.9).filter((span) => !/^\d/.test(span.text)),
    ...matches(text, IBAN, 'iban', 0.7).flatMap(asIban),
    ...matches(text, BIC, 'bic', 0.5),
    ...matches(text, VAT, 'vat', 0.8).filter((span) => (span.text.match(/\d/g) ?? []).length >= 7),
    ...phones(text, dates),
    ...identifiers(text, dates, numbers),
    ...matches(text, GROUPED, 'id', 1),
    ...findDurations(text).map((duration): ValueSpan => ({
      kind: 'duration',
      start: duration.start,
      end: duration.end,
      text: duration.text,
      certainty: 0.9,
      duration,
    })),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end);
}

function numberSpans(number: NumberSpan): ValueSpan[] {
  const base = { start: number.start, end: number.end, text: number.text, number };
  if (number.percent) return [{ ...base, kind: 'percent', certainty: 1 }];
  const decimals = /[.,]\s?\d{2}$/.test(number.text);
  const certainty = number.currency === null ? (decimals ? 0.9 : 0.3) : 1;
  return [
    { ...base, kind: 'amount', certainty },
    { ...base, kind: 'number', certainty: number.currency === null ? 1 : 0.8 },
  ];
}

/** Two years with a line between them: a period. */
const YEARS = /^\(?(?:19|20)\d{2}\s?[-/]\s?(?:19|20)\d{2}$/;

function phones(text: string, dates: readonly DateSpan[]): ValueSpan[] {
  const formed = matches(text, PHONE, 'phone', 0.6).filter(
    (span) =>
      span.text.replaceAll(/\D/g, '').length >= 7 &&
      // Excludes rows of amounts.
      !/\d[.,]\d{2}(?!\d)/.test(span.text) &&
      !YEARS.test(span.text) &&
      !dates.some((date) => overlaps(date, span)),
  );
  // Marks of a telephone number: a plus, digits in brackets, or three groups.
  const sure = /\+|\([\d\s]+\)|\d[\s.-]+\d+[\s.-]+\d/;
  return formed.map((span) => ({ ...span, certainty: sure.test(span.text) ? 0.8 : 0.5 }));
}

function identifiers(text: string, dates: readonly DateSpan[], numbers: readonly NumberSpan[]): ValueSpan[] {
  return matches(text, IDENTIFIER, 'id', 1).flatMap((span) => {
    if (dates.some((date) => overlaps(date, span))) return [];
    // `15` of `15,00` or `15%` is no identifier.
    const part = numbers.some(
      ({ start, end, percent }) =>
        start <= span.start && end >= span.end && (percent || end - start > span.end - span.start + 1),
    );
    if (part) return [];
    const digits = (span.text.match(/\p{N}/gu) ?? []).length;
    if (digits === 0) return [];
    const amountLike = /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(span.text);
    return [{ ...span, certainty: amountLike ? 0.3 : digits >= 4 ? 1 : digits >= 2 ? 0.7 : 0.5 }];
  });
}

function matches(text: string, pattern: RegExp, kind: ValueKind, certainty: number): ValueSpan[] {
  return [...text.matchAll(pattern)].map((match) => {
    const trimmed = match[0].replace(/[\s.,;:]+$/, '');
    return { kind, start: match.index, end: match.index + trimmed.length, text: trimmed, certainty };
  });
}

/** Trims letters after an IBAN, whose last group has digits: in `PL5252412345 IBAN` the word is a label. */
function asIban(span: ValueSpan): ValueSpan[] {
  const text = span.text.replace(/(?:\s[A-Z]+)+$/, '');
  if (text.replaceAll(/\s/g, '').length < MIN_IBAN_LENGTH) return [];
  return [{ ...span, text, end: span.start + text.length, certainty: isIban(text) ? 1 : 0.6 }];
}

/** Minimum length of an IBAN, which is Norway's. */
const MIN_IBAN_LENGTH = 15;

/** Checks an IBAN (ISO 13616): the remainder by 97 must be 1. */
export function isIban(text: string): boolean {
  const compact = text.replaceAll(/\s/g, '');
  if (compact.length < MIN_IBAN_LENGTH || compact.length > 34) return false;
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

export function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}
