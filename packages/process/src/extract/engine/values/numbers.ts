/**
 * Recognises numbers and amounts of money as documents print them: `1.234,56`, `1,234.56`, `(12.00)`, `RM 9`, `42 €`,
 * `14.5%`.
 */

export interface NumberSpan {
  start: number;
  end: number;
  /** Digits with separators, without sign and currency. */
  text: string;
  digits: string;
  negative: boolean;
  percent: boolean;
  /** ISO 4217 code; null without a currency beside the number. */
  currency: string | null;
  /** Currency sign or code as printed. */
  symbol: string | null;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '￥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₪': 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  '₴': 'UAH',
  '₦': 'NGN',
  '₱': 'PHP',
  円: 'JPY',
  元: 'CNY',
  원: 'KRW',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  rm: 'MYR',
  rs: 'INR',
  'rs.': 'INR',
  us$: 'USD',
  r$: 'BRL',
  s$: 'SGD',
  a$: 'AUD',
  c$: 'CAD',
  hk$: 'HKD',
  nt$: 'TWD',
  'fr.': 'CHF',
  sfr: 'CHF',
  lei: 'RON',
  lv: 'BGN',
};
/** ISO 4217 codes known to ICU. */
const CODES = new Set(Intl.supportedValuesOf('currency'));
const CODE_WORD = /(?<![\p{L}\p{N}])[A-Z]{3}(?![\p{L}\p{N}])/gu;
/** Currency codes that are also words. */
const AMBIGUOUS_CODES = new Set([
  'ALL',
  'TOP',
  'TRY',
  'MOP',
  'CUP',
  'PEN',
  'GEL',
  'LAK',
  'BAM',
  'MAD',
  'COP',
  'SOS',
  'ANG',
  'SLE',
  'STD',
  'ETB',
]);

const SIGN = String.raw`us\$|hk\$|nt\$|[rsac]\$|rs\.?(?=[\s\d])|rm|sfr|fr\.|[A-Z]{3}|[$€£¥￥₹₩₽₺₪₫฿₴₦₱]`;
const AFTER = String.raw`zł|kč|円|元|원|ft|lei|lv|[A-Z]{3}(?![\p{L}])|[$€£¥￥₹₩₽₺₪₫฿₴₦₱]`;
const NUMBER = String.raw`\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{1,4})?(?!\d)|\d{1,3}(?:[\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,3}(?: \d{3})+,\d{2}(?!\d)|\d+[.,]\s?\d{2}(?!\d)|\d+(?:[.,]\d{1,6})?|[.,]\d{2}(?!\d)`;
const PATTERN = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,\/#_])(?<open>\()?(?<sign>[-+−–]\s?)?(?:(?<before>${SIGN})[\s.:=]{0,2})?(?<inner>[-−])?(?<number>${NUMBER})(?<close>\))?(?<minus>-(?![\p{N}\p{L}]))?\s?(?<percent>%)?(?:\s?(?<after>${AFTER})(?!\s?\d))?(?![\p{L}\p{N}_\/]|[.\-]\d)`,
  'giu',
);

/** Returns whether the sign at the offset is the end of days of the week before a time: `Mo.-Fr. 08.30`. */
const isFriday = (text: string, at: number, sign: string): boolean =>
  /^fr\.$/iu.test(sign) && /\p{L}\.?\s?[-–]\s?$/u.test(text.slice(Math.max(0, at - 6), at));

export function findNumbers(text: string): NumberSpan[] {
  return [...text.matchAll(PATTERN)].map((match) => {
    const { number = '', before, after, percent, open, close, sign, inner, minus } = match.groups ?? {};
    const isDay = before !== undefined && isFriday(text, match.index + match[0].indexOf(before), before);
    const symbol =
      [isDay ? undefined : before, after].find((mark) => mark !== undefined && currencyOf(mark) !== null) ?? null;
    const start = match.index + match[0].indexOf(number);
    return {
      start: before !== undefined && symbol === before ? match.index + match[0].indexOf(before) : start,
      end:
        after !== undefined && symbol === after
          ? match.index + match[0].length
          : start +
            number.length +
            (percent === undefined ? 0 : match[0].slice(match[0].indexOf(number) + number.length).indexOf('%') + 1),
      text: number,
      digits: number.replaceAll(/\s/g, ''),
      negative:
        (open !== undefined && close !== undefined) ||
        /[-−]/.test(sign ?? '') ||
        inner !== undefined ||
        minus !== undefined,
      percent: percent !== undefined,
      currency: symbol === null ? null : currencyOf(symbol),
      symbol,
    };
  });
}

/** Returns the ISO code of a currency sign or code. */
export function currencyOf(mark: string): string | null {
  const symbol = SYMBOLS[mark.toLowerCase()];
  if (symbol !== undefined) return symbol;
  return CODES.has(mark) ? mark : null;
}

/** Returns currency codes and signs in running text. */
export function currenciesIn(text: string): { code: string; symbol: string; start: number }[] {
  const codes = [...text.matchAll(CODE_WORD)]
    .filter(([code]) => CODES.has(code) && !AMBIGUOUS_CODES.has(code))
    .map((match) => ({ code: match[0], symbol: match[0], start: match.index }));
  const signs = [
    ...text.matchAll(/[€£₹₩₽₺₪₫฿₴₦₱]|(?<![\p{L}])(?:RM|US\$|HK\$|R\$|S\$)(?![\p{L}])|\$|(?<!\p{L})Rs\.?(?=\s?\d)/gu),
  ];
  return [
    ...codes,
    ...signs.flatMap((match) => {
      const code = currencyOf(match[0]);
      return code === null ? [] : [{ code, symbol: match[0], start: match.index }];
    }),
  ];
}

/** Returns the decimal sign that most numbers of the document imply; a point by default. */
export function decimalSign(numbers: readonly NumberSpan[]): '.' | ',' {
  let commas = 0;
  for (const { digits } of numbers) {
    if (/,\d{1,2}$/.test(digits)) commas += 1;
    if (/\.\d{1,2}$/.test(digits)) commas -= 1;
  }
  return commas > 0 ? ',' : '.';
}

/**
 * Returns the value, or null. A single separator before three digits is the decimal sign only if the document uses it
 * as such.
 */
export function numericValue(span: Pick<NumberSpan, 'digits' | 'negative'>, decimal: '.' | ','): number | null {
  const { digits } = span;
  const marks = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  let plain = digits.replaceAll(/['’\s]/g, '');
  if (last !== undefined) {
    const tail = digits.length - 1 - digits.lastIndexOf(last);
    const several = marks.filter((mark) => mark === last).length > 1;
    const grouping = several || (marks.length === 1 && tail === 3 && last !== decimal && !digits.startsWith('0'));
    const ambiguous =
      marks.length === 1 && tail === 3 && last === decimal && /^\d{1,3}[.,]/.test(digits) && !digits.startsWith('0');
    if (grouping || (ambiguous && decimal === '.')) plain = plain.replaceAll(/[.,]/g, '');
    else plain = plain.replaceAll(last === ',' ? '.' : ',', '').replace(',', '.');
  }
  const value = Number(plain);
  if (plain === '' || !Number.isFinite(value)) return null;
  return span.negative ? -value : value;
}
