/** Inserts names of months, days and eras into a date format that states a language: `[$-407]d. mmmm yyyy`. */

/** Languages by the low ten bits of a Windows language id ([MS-LCID]), as used in format codes. */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x01: 'ar-u-nu-latn',
  0x02: 'bg',
  0x03: 'ca',
  0x04: 'zh',
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x08: 'el',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0d: 'he',
  0x0e: 'hu',
  0x10: 'it',
  0x11: 'ja',
  0x12: 'ko',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x18: 'ro',
  0x19: 'ru',
  0x1a: 'hr',
  0x1b: 'sk',
  0x1d: 'sv',
  0x1e: 'th-u-ca-gregory',
  0x1f: 'tr',
  0x21: 'id',
  0x22: 'uk',
  0x24: 'sl',
  0x25: 'et',
  0x26: 'lv',
  0x27: 'lt',
  0x2a: 'vi',
};
const LOCALE = /\[\$-(?:x-[^\]]*|([0-9a-f]{3,8})|([a-z]{2,3}(?:-[a-z0-9]{2,8})*))(?:,[^\]]*)?\]/gi;
const TOKENS = /"[^"]*"|\\.|\[[^\]]*\]|m{3,4}(?!m)|d{3,4}|a{3,4}(?!m|\/)|g{1,3}|e(?![+-])/gi;
const DAY_MS = 86_400_000;

/**
 * Returns the code without its languages and with non-English names inserted as text. `value` is in days from 1904 or
 * 1900. A code such as `[$-F800]`, the viewer's long date, states no language.
 */
export function withNamesSet(code: string, value: number, date1904: boolean): string {
  let language: string | undefined;
  const plain = code.replaceAll(LOCALE, (_, id: string | undefined, tag: string | undefined) => {
    language ??= tag ?? LANGUAGES[Number.parseInt(id ?? '0', 16) & 0x3ff];
    return '';
  });
  if (language === undefined || /^en\b/i.test(language) || /general/i.test(plain)) return plain;
  const names = namesOf(language, dateOf(value, date1904));
  // In Slavic languages, a month after a day has another form.
  const afterDay = /(?<!d)d{1,2}(?!d)[^;]*mmmm/i.test(plain);
  return plain.replaceAll(TOKENS, (token) => {
    const name = /^["\\[]/.test(token) ? undefined : names(token.toLowerCase(), afterDay);
    return name === undefined ? token : `"${name.replaceAll('"', '')}"`;
  });
}

/** Excel counts a nonexistent 29 February 1900 as day 60. */
function dateOf(value: number, date1904: boolean): Date {
  const days = date1904 ? value : value < 60 ? value + 1 : value;
  return new Date((date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) + days * DAY_MS);
}

function namesOf(language: string, date: Date): (token: string, afterDay: boolean) => string | undefined {
  const part = (type: Intl.DateTimeFormatPartTypes, options: Intl.DateTimeFormatOptions, tag = language): string => {
    const parts = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' }).formatToParts(date);
    return parts.find((each) => each.type === type)?.value ?? '';
  };
  const japanese = language.startsWith('ja') ? 'ja-u-ca-japanese' : undefined;
  return (token, afterDay) => {
    const [letter = '', length] = [token[0], token.length];
    const width = length === 4 ? 'long' : 'short';
    if (letter === 'm') return part('month', { month: width, ...(afterDay ? { day: 'numeric' } : {}) });
    if (letter === 'd' || letter === 'a') return part('weekday', { weekday: width });
    if (japanese === undefined) return letter === 'g' ? '' : part('year', { year: 'numeric' });
    if (letter === 'e') return part('year', { year: 'numeric', era: 'long' }, japanese);
    const era = part('era', { era: length === 1 ? 'narrow' : 'long' }, japanese);
    return length === 2 ? era.slice(0, 1) : era;
  };
}
