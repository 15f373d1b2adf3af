/** Converts text of the document to a value of the schema's type; undefined when it does not fit. */
import { compilePattern } from '../../schema/keywords.ts';
import type { Shape } from '../../schema/shape.ts';
import { alternatives } from '../lexicon/lexicon.ts';
import { durationInDigits, isoDuration, type DurationSpan } from './durations.ts';
import { numericValue, currencyOf } from './numbers.ts';
import type { ValueSpan } from './value-spans.ts';
import { allows } from '../fields/variants.ts';

export interface Conventions {
  monthFirst: boolean;
  decimal: '.' | ',';
}

const TRUE = new RegExp(String.raw`^(?:${alternatives(({ yes }) => yes)}|☑|☒|✓|✔|x|\[x\])$`, 'i');
const FALSE = new RegExp(String.raw`^(?:${alternatives(({ no }) => no)}|☐|\[ \]|\[\])$`, 'i');
const AS_PRINTED = new RegExp(
  alternatives(({ asPrinted }) => asPrinted),
  'i',
);

/** Converts `text`, the value as printed. `span` describes its form when it was recognised by form. */
export function convert(text: string, span: ValueSpan | null, shape: Shape, conventions: Conventions): unknown {
  const value = candidates(text, span, shape, conventions).find((candidate) => fits(candidate, shape));
  return value;
}

function candidates(text: string, span: ValueSpan | null, shape: Shape, conventions: Conventions): unknown[] {
  const values: unknown[] = [];
  if (shape.allowed !== null) values.push(...allowedValue(text, shape.allowed));
  else if (allows(shape, 'boolean') && !allows(shape, 'string')) {
    if (TRUE.test(text.trim())) values.push(true);
    if (FALSE.test(text.trim())) values.push(false);
  }
  if (shape.allowed === null && (allows(shape, 'number') || allows(shape, 'integer')) && shape.types !== null)
    values.push(...numbersOf(text, span, shape, conventions));
  if (allows(shape, 'string') && shape.allowed === null) values.push(...strings(text, span, shape, conventions));
  return values;
}

function numbersOf(text: string, span: ValueSpan | null, shape: Shape, { decimal }: Conventions): number[] {
  const whole = !allows(shape, 'number');
  const digits = span?.number?.digits ?? text.replaceAll(/[^\d.,'’-]/g, '');
  const negative = span?.number?.negative ?? digits.startsWith('-');
  const value =
    span !== null && span.number === undefined && /^[\d\s.-]+$/.test(text)
      ? Number(text.replaceAll(/\D/g, ''))
      : numericValue({ digits: digits.replaceAll('-', ''), negative }, decimal);
  if (value === null || !Number.isFinite(value)) return [];
  return whole && !Number.isInteger(value) ? [] : [value];
}

function strings(text: string, span: ValueSpan | null, shape: Shape, { monthFirst }: Conventions): string[] {
  const printed = text.trim();
  if (span?.date !== undefined) {
    const { readings, time } = span.date;
    const day = (monthFirst ? readings.at(-1) : readings[0]) ?? '';
    if (shape.format === 'date') return [day];
    // Documents name no time zone, so the printed time is written as UTC.
    if (shape.format === 'date-time') return [`${day}T${time ?? '00:00:00'}Z`];
    const wanted = dateForm(shape.description);
    if (wanted !== null) return [inForm(day, wanted), day, printed];
    // Dates with month names are converted to ISO dates; dates in digits are kept as printed.
    const inWords = /\p{L}/u.test(printed) && !AS_PRINTED.test(shape.description);
    return inWords ? [day, printed] : [printed, day];
  }
  if (shape.format === 'date' || shape.format === 'date-time') return [];
  if (shape.format === 'time') return span === null ? [] : [printed];
  if (span?.kind === 'iban' || span?.kind === 'bic') return [printed, printed.replaceAll(/\s/g, '')];
  if (span?.duration !== undefined) return durations(printed, span.duration, shape);
  if (shape.format === 'duration') return [];
  if (span?.kind === 'url' && shape.format !== null && !printed.includes('://')) return [`https://${printed}`];
  if (span?.number !== undefined) return [span.number.negative ? `-${printed}` : printed, printed];
  return [printed];
}

/** Durations are written in digits, or in ISO 8601 where the schema requests it. */
function durations(printed: string, duration: DurationSpan, { format, description }: Shape): string[] {
  if (format === 'duration') return [isoDuration(duration)];
  if (ISO_DURATION.test(description)) return [isoDuration(duration), printed];
  return AS_PRINTED.test(description) ? [printed] : [durationInDigits(duration), printed];
}

const ISO_DURATION = /ISO[\s-]?8601|\bP\d+[YMWD]\b/;

/** Returns the date pattern of a description, such as `YYYY-MM-DD` or `dd/mm/yyyy`. */
function dateForm(description: string): string | null {
  const form = /\b(?:YYYY|DD|MM)([-/. ])(?:MM|DD)\1(?:YYYY|DD|YY)\b/i.exec(description)?.[0];
  if (form !== undefined) return form.toUpperCase();
  return /ISO[\s-]?8601|ISO date|ISO format/i.test(description) ? 'YYYY-MM-DD' : null;
}

function inForm(day: string, form: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return form.replace('YYYY', year).replace('YY', year.slice(2)).replace('MM', month).replace('DD', date);
}

/** Returns the value of an enumeration that equals the text or is contained in it as whole words; the longest wins. */
function allowedValue(text: string, allowed: readonly unknown[]): unknown[] {
  const simple = simplified(text);
  const exact = allowed.find((value) => isScalar(value) && simplified(String(value)) === simple);
  if (exact !== undefined) return [exact];
  const mark = currencyOf(text.trim());
  if (mark !== null && allowed.includes(mark)) return [mark];
  const held = allowed
    .filter((value): value is string => typeof value === 'string' && value.length > 1)
    .filter((value) => ` ${simple} `.includes(` ${simplified(value)} `))
    .toSorted((a, b) => b.length - a.length);
  return held.slice(0, 1);
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export function simplified(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Checks the keywords that apply to the value itself. The whole schema is validated at the end. */
function fits(value: unknown, shape: Shape): boolean {
  if (value === undefined) return false;
  if (shape.allowed !== null && !shape.allowed.includes(value)) return false;
  if (typeof value === 'number') return value >= shape.minimum && value <= shape.maximum;
  if (typeof value !== 'string') return true;
  if (value === '') return false;
  const length = Array.from(value).length;
  if (length < shape.minLength || length > shape.maxLength) return false;
  return shape.pattern === null || compilePattern(shape.pattern).test(value);
}
