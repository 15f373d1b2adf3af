/** Formats numbers as a spreadsheet displays them, by Excel's format codes, through the formatter of `@e965/xlsx`. */
import { createRequire } from 'node:module';
import { withNamesSet } from './date-names.ts';

/** Formats that follow the viewer's locale have no fixed display; ISO dates replace them. */
const LOCALE_DATES: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm' };
const GENERAL_ID = 0;

// The library declares its formatter as `any`; this type covers the used parts.
interface Formatter {
  format(format: string | number, value: number, options: { date1904: boolean }): string;
  get_table(): Readonly<Record<number, string>>;
}
let loaded: Formatter | undefined;

/** Loads the formatter on first use: a text document with a plain chart needs no spreadsheet library. */
function formatter(): Formatter {
  loaded ??= (createRequire(import.meta.url)('@e965/xlsx') as { SSF: Formatter }).SSF;
  return loaded;
}

/** Formats a number without a format code with 15 digits, the precision of a double and of Excel. */
export function formatGeneral(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))).toUpperCase() : '';
}

/** Returns the code of a built-in format; undefined for other ids. */
export function builtInFormat(id: number): string | undefined {
  return id === GENERAL_ID ? 'General' : (LOCALE_DATES[id] ?? formatter().get_table()[id]);
}

/**
 * Formats a number by code. Text formats and unreadable codes yield the plain number; a code may hide it (`;;;`).
 * `date1904` means that day 0 is 1904-01-01, as on old Macs, instead of 1899-12-31.
 */
export function formatNumber(value: number, code: string, date1904: boolean): string {
  if (code === 'General' || code === '@' || code === '') return formatGeneral(value);
  try {
    const general = AROUND_GENERAL.exec(code);
    if (general) return `${literal(general[1])}${formatGeneral(value)}${literal(general[2])}`.trim();
    return formatter()
      .format(readable(withNamesSet(code, value, date1904)), value, { date1904 })
      .trim();
  } catch {
    return formatGeneral(value);
  }
}

const LITERALS = String.raw`((?:"[^"]*"|\\.|[ -])*)`;
/** Matches the plain number with literal text around it: `General" kg"`. */
const AROUND_GENERAL = new RegExp(`^${LITERALS}General${LITERALS}$`, 'i');

const literal = (code = ''): string => code.replaceAll(/"([^"]*)"|\\(.)/g, '$1$2');

/**
 * Rewrites a code to the form that Excel writes, which the formatter requires: dots in dates escaped, nothing before a
 * percent sign.
 */
function readable(code: string): string {
  const plain = code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  const isDate = /[ymd]/i.test(plain);
  return code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|\.(?!0)| +%/g, (part) => {
    if (part === '.') return isDate ? '\\.' : part;
    return part.startsWith(' ') ? '%' : part;
  });
}
