/** Numbers as a spreadsheet shows them: the format codes of Excel, through the formatter of `@e965/xlsx`. */
import { SSF } from '@e965/xlsx';

/** Formats that follow the viewer's locale have no shown form in the file: ISO dates are what everybody can read. */
const LOCALE_DATES: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm' };
const GENERAL_ID = 0;

// The package declares its formatter as `any`; these are the two parts of it that are used here.
interface Formatter {
  format(format: string | number, value: number, options: { date1904: boolean }): string;
  get_table(): Readonly<Record<number, string>>;
}
const formatter: Formatter = SSF;

/** A number without a format: 15 digits, which is what a double holds and Excel keeps. */
export function formatGeneral(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : '';
}

/** The code of a built-in format; undefined for an id that is not built in. */
export function builtInFormat(id: number): string | undefined {
  return id === GENERAL_ID ? 'General' : (LOCALE_DATES[id] ?? formatter.get_table()[id]);
}

/**
 * Formats by code. Text formats and codes that cannot be read show the number itself; a code may hide it (`;;;`).
 * `date1904`: whether day 0 is 1904-01-01, as on old Macs, and not 1899-12-31.
 */
export function formatNumber(value: number, code: string, date1904: boolean): string {
  if (code === 'General' || code === '@' || code === '') return formatGeneral(value);
  try {
    return formatter.format(code, value, { date1904 }).trim();
  } catch {
    return formatGeneral(value);
  }
}
