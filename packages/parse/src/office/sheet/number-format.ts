/** Numbers as a spreadsheet shows them: the format codes of Excel, through the formatter of `@e965/xlsx`. */
import { createRequire } from 'node:module';
import { withNamesSet } from './date-names.ts';

/** Formats that follow the viewer's locale have no shown form in the file: ISO dates are what everybody can read. */
const LOCALE_DATES: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm' };
const GENERAL_ID = 0;

// The package declares its formatter as `any`; these are the two parts of it that are used here.
interface Formatter {
  format(format: string | number, value: number, options: { date1904: boolean }): string;
  get_table(): Readonly<Record<number, string>>;
}
let loaded: Formatter | undefined;

/** Loaded for the first number that has a format: a text document with a chart of plain numbers needs no spreadsheets. */
function formatter(): Formatter {
  loaded ??= (createRequire(import.meta.url)('@e965/xlsx') as { SSF: Formatter }).SSF;
  return loaded;
}

/** A number without a format: 15 digits, which is what a double holds and Excel keeps. */
export function formatGeneral(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))).toUpperCase() : '';
}

/** The code of a built-in format; undefined for an id that is not built in. */
export function builtInFormat(id: number): string | undefined {
  return id === GENERAL_ID ? 'General' : (LOCALE_DATES[id] ?? formatter().get_table()[id]);
}

/**
 * Formats by code. Text formats and codes that cannot be read show the number itself; a code may hide it (`;;;`).
 * `date1904`: whether day 0 is 1904-01-01, as on old Macs, and not 1899-12-31.
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
/** The number as it is, with words around it: `General" kg"`. */
const AROUND_GENERAL = new RegExp(`^${LITERALS}General${LITERALS}$`, 'i');

const literal = (code = ''): string => code.replaceAll(/"([^"]*)"|\\(.)/g, '$1$2');

/** The formatter wants what Excel itself writes: dots in dates escaped, nothing before a percent sign. */
function readable(code: string): string {
  const plain = code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  const isDate = /[ymd]/i.test(plain);
  return code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|\.(?!0)| +%/g, (part) => {
    if (part === '.') return isDate ? '\\.' : part;
    return part.startsWith(' ') ? '%' : part;
  });
}
