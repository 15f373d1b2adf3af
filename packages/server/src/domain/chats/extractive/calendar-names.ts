/** Names of months and weekdays, in the languages of CLDR. */

type Style = 'long' | 'short';

/** A month that begins on a Monday: its first seven days are those of the week. */
const MONDAY = { year: 2024, month: 0 };

/** Returns the names of the months as they are within a date, without a point behind them. */
export function monthNames(language: string, style: Style): string[] {
  const format = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(new Date(Date.UTC(MONDAY.year, month, 1)));
    return parts.find(({ type }) => type === 'month')?.value.replace(/\.$/u, '') ?? '';
  });
}

/** Returns the names of the weekdays from Monday on. */
export function weekdayNames(language: string): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => format.format(new Date(Date.UTC(MONDAY.year, MONDAY.month, day + 1))));
}
