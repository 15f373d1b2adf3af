/** Scores of answers to questions about statements. */
import type { StatementQuestion } from './statement-files.ts';

/** Share of the gold value by which a stated result may differ, for rounding. */
const TOLERANCE = 0.006;

/** The sign behind a result, before its operands. */
const COMPUTED = /^\*\*[^*]+\*\*(?: =|:) /u;

/** Returns whether the answer is a computation. */
export const isComputed = (text: string): boolean => COMPUTED.test(text);

/**
 * Returns whether the answer leads with the gold value or name, holds all gold texts, or refuses a question without
 * gold; if the question cannot be computed, whether it computes nothing.
 */
export function isRight(
  { kind, gold }: Pick<StatementQuestion, 'kind' | 'gold'>,
  text: string,
  isRefused: boolean,
): boolean {
  if (kind === 'not computed') return !isComputed(text);
  if (gold === null) return isRefused;
  if (Array.isArray(gold)) return gold.every((each) => text.includes(each));
  const lead = /\*\*(?<value>[^*]+)\*\*/u.exec(text)?.groups?.['value'];
  if (lead === undefined) return false;
  if (typeof gold === 'string') return lead === gold;
  const value = numberIn(lead);
  const step = 10 ** -(/[.,](?<part>\p{Nd}{1,2})(?!\p{Nd})/u.exec(lead)?.groups?.['part']?.length ?? 0);
  return (
    value !== null &&
    Math.abs(Math.abs(value) - Math.abs(gold)) <= Math.max(step / 2, Math.abs(gold) * TOLERANCE) + 1e-9
  );
}

/** Reads a number with any grouping; a comma or a point before one or two last digits is the decimal sign. */
function numberIn(text: string): number | null {
  const digits = /\p{Nd}[\p{Nd}.,\s’']*/u.exec(text)?.[0].replaceAll(/[\s’']/gu, '');
  if (digits === undefined) return null;
  const decimal = /[.,](?<part>\p{Nd}{1,2})$/u.exec(digits)?.groups?.['part'];
  const whole = (decimal === undefined ? digits : digits.slice(0, -decimal.length - 1)).replaceAll(/[.,]/gu, '');
  return Number(decimal === undefined ? whole : `${whole}.${decimal}`);
}
