/** Scores of answers to questions about statements. */
import type { StatementQuestion } from './statement-files.ts';

/** Share of the gold value by which a stated result may differ, for rounding. */
const TOLERANCE = 0.006;

/** Returns whether the answer leads with the gold value, or refuses a question without one. */
export function isRight({ gold }: Pick<StatementQuestion, 'gold'>, text: string, isRefused: boolean): boolean {
  if (gold === null) return isRefused;
  const lead = /\*\*(?<value>[^*]+)\*\*/u.exec(text)?.groups?.['value'];
  if (lead === undefined) return false;
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
