/** A generated document with the values that it states. */
import type { PlacedText } from './pdf-page.ts';
import type { Random } from './random.ts';

/** Layouts and words of the tuning half never occur in the checking half. */
export type Half = 'tuning' | 'checking';

export interface Form {
  layout: string;
  pages: PlacedText[][];
  gold: Record<string, unknown>;
}

export type Layout = (random: Random) => Form;

export interface FormSet {
  name: string;
  schema: Record<string, unknown>;
  layouts: Readonly<Record<Half, readonly Layout[]>>;
}

/** A date as `YYYY-MM-DD` and its parts. */
export interface Day {
  iso: string;
  year: number;
  month: number;
  day: number;
}

export function dayOf(random: Random): Day {
  const [year, month, day] = [random.whole(2009, 2025), random.whole(1, 12), random.whole(1, 28)];
  return { iso: `${year}-${two(month)}-${two(day)}`, year, month, day };
}

export const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the name of the day's month in a language. */
export const monthName = ({ month }: Day, language: string): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2020, month - 1, 15));

/** Formats an amount as a language prints it. */
export const amountIn = (language: string, value: number): string =>
  value
    .toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: 'always' })
    .replaceAll(/[\u202f\u00a0]/g, ' ');

export const cents = (value: number): number => Math.round(value * 100) / 100;
