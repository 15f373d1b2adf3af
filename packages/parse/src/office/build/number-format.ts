/** Formats the numbers of lists and headings by the names of Word's formats (`w:numFmt`). */
const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const CHINESE_DIGITS = '〇一二三四五六七八九';
const CIRCLED_ONE = 0x2460;

export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return roman(value).toUpperCase();
    case 'lowerRoman':
      return roman(value);
    case 'upperLetter':
      return letters(value).toUpperCase();
    case 'lowerLetter':
      return letters(value);
    case 'decimalZero':
      return value < 10 ? `0${value}` : String(value);
    case 'ordinal':
      return `${value}${ordinalSuffix(value)}`;
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return value >= 1 && value <= 20 ? String.fromCodePoint(CIRCLED_ONE + value - 1) : String(value);
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
    case 'ideographDigital':
      return chinese(value);
    case 'none':
      return '';
    default:
      return String(value);
  }
}

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  let rest = value;
  let text = '';
  for (const [size, digits] of ROMAN) {
    while (rest >= size) {
      text += digits;
      rest -= size;
    }
  }
  return text;
}

/** Returns a … z, aa … zz: Word repeats the letter. */
function letters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

function ordinalSuffix(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

function chinese(value: number): string {
  if (value < 0 || value > 99) return String(value);
  const tens = Math.floor(value / 10);
  const ones = value % 10;
  const last = ones === 0 ? '' : CHINESE_DIGITS.charAt(ones);
  if (tens === 0) return CHINESE_DIGITS.charAt(value);
  return `${tens === 1 ? '' : CHINESE_DIGITS.charAt(tens)}十${last}`;
}
