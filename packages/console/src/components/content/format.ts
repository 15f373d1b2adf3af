/** Numbers, sizes and times as the console shows them, in the language of the browser's locale. */
const LOCALE = 'en';
const count = new Intl.NumberFormat(LOCALE);
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });

export const formatCount = (value: number): string => count.format(value);
/** Returns the day of a time. */
export const formatDate = (iso: string): string => date.format(new Date(iso));
/** Returns the time of day. */
export const formatClock = (iso: string): string => clock.format(new Date(iso));
export const formatTime = (iso: string): string => dateTime.format(new Date(iso));

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Returns a size in decimal units, such as “1.2 MB”. */
export function formatBytes(bytes: number): string {
  const exponent = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** exponent;
  return `${value.toFixed(exponent > 0 && value < 10 ? 1 : 0)} ${UNITS[exponent]}`;
}

export function formatMs(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Returns the distance to now, such as “3 min. ago”. */
export function formatAgo(iso: string, now: number = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' && Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}
