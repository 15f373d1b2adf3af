import { problem, type Parsed } from './problem.ts';

const TIME = /^[Tt_ ](\d\d):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9})\d*)?)?(Z|z|[+-]\d\d:?\d\d)?$/;
const LAST_DAY_MS = 253_402_300_799_999;
/** Bound of Unix timestamps in seconds; larger numbers are milliseconds. */
const SECONDS_WATERSHED = 2e10;

const invalid = (error: string): Parsed<Date> =>
  problem('datetime_from_date_parsing', `Input should be a valid datetime or date, ${error}`, { error });

function fromTimestamp(value: number): Parsed<Date> {
  const ms = Math.abs(value) > SECONDS_WATERSHED ? value : value * 1000;
  if (ms <= LAST_DAY_MS && ms >= -62_135_596_800_000) return { value: new Date(ms) };
  const error = `dates ${ms > 0 ? 'after 9999' : 'before 0000'} are not supported as unix timestamps`;
  return problem('datetime_parsing', `Input should be a valid datetime, ${error}`, { error });
}

/** Reads ISO 8601 (UTC without a zone), a date, or a Unix timestamp in seconds or milliseconds, as pydantic does. */
export function parseDateTime(value: unknown): Parsed<Date> {
  if (typeof value === 'number') return fromTimestamp(value);
  if (typeof value !== 'string') return problem('datetime_type', 'Input should be a valid datetime');
  if (/^[+-]?\d+(?:\.\d*)?$/.test(value)) return fromTimestamp(Number(value));
  if (value.length < 10) return invalid('input is too short');
  const date = dateProblem(value);
  if (date !== undefined) return invalid(date);
  if (value.startsWith('0000')) {
    const error = 'year 0 is out of range';
    return problem('datetime_parsing', `Input should be a valid datetime, ${error}`, { error });
  }
  const [day, rest] = [value.slice(0, 10), value.slice(10)];
  if (rest === '') return { value: new Date(`${day}T00:00:00Z`) };
  const time = TIME.exec(rest);
  const zone = (time?.[5] ?? 'Z').toUpperCase();
  if (time === null || Number(time[1]) > 23 || Number(zone.slice(1, 3)) > 23) {
    return invalid('unexpected extra characters at the end of the input');
  }
  const milliseconds = (time[4] ?? '').slice(0, 3).padEnd(3, '0');
  const offset = zone === 'Z' ? zone : zone.replace(/^(...):?(..)$/, '$1:$2');
  return { value: new Date(`${day}T${time[1]}:${time[2]}:${time[3] ?? '00'}.${milliseconds}${offset}`) };
}

function dateProblem(value: string): string | undefined {
  if (!/^\d{4}/.test(value)) return 'invalid character in year';
  if (value[4] !== '-') return 'invalid date separator, expected `-`';
  if (!/^\d\d$/.test(value.slice(5, 7))) return 'invalid character in month';
  if (value[7] !== '-') return 'invalid date separator, expected `-`';
  if (!/^\d\d$/.test(value.slice(8, 10))) return 'invalid character in day';
  const [year, month, day] = [value.slice(0, 4), value.slice(5, 7), value.slice(8, 10)].map(Number);
  if (month === undefined || month < 1 || month > 12) return 'month value is outside expected range of 1-12';
  const days = new Date(Date.UTC(year ?? 0, month, 0)).getUTCDate();
  return day === undefined || day < 1 || day > days ? 'day value is outside expected range' : undefined;
}
