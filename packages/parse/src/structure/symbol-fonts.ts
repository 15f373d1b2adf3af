/**
 * Maps characters of symbol fonts, whose codes are positions in the font (often in the private use area), to Unicode.
 */
const WINGDINGS: Readonly<Record<number, string>> = {
  0x6c: '●',
  0x6e: '■',
  0x6f: '☐',
  0x71: '❑',
  0x75: '◆',
  0x76: '❖',
  0xa7: '▪',
  0xa8: '◻',
  0xd8: '➢',
  0xe0: '→',
  0xe8: '➔',
  0xdf: '←',
  0xe1: '↑',
  0xe2: '↓',
  0xf0: '⇨',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
  0x4a: '☺',
  0x4c: '☹',
  0x22: '✂',
  0x28: '☎',
  0x2a: '✉',
};
const WINGDINGS_2: Readonly<Record<number, string>> = {
  0x4f: '✗',
  0x50: '✓',
  0x51: '☒',
  0x52: '☑',
  0x53: '☒',
  0x54: '☒',
  0xa3: '☐',
};
const SYMBOL_LOWER = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ';
const SYMBOL_UPPER = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ';
const SYMBOL_OTHER: Readonly<Record<number, string>> = {
  0x22: '∀',
  0x24: '∃',
  0x27: '∋',
  0x2d: '−',
  0x40: '≅',
  0x5e: '⊥',
  0xa2: '′',
  0xa3: '≤',
  0xa5: '∞',
  0xab: '↔',
  0xac: '←',
  0xad: '↑',
  0xae: '→',
  0xaf: '↓',
  0xb0: '°',
  0xb1: '±',
  0xb2: '″',
  0xb3: '≥',
  0xb4: '×',
  0xb5: '∝',
  0xb6: '∂',
  0xb7: '•',
  0xb8: '÷',
  0xb9: '≠',
  0xba: '≡',
  0xbb: '≈',
  0xbc: '…',
  0xc5: '⊕',
  0xc6: '∅',
  0xc7: '∩',
  0xc8: '∪',
  0xcc: '⊂',
  0xcd: '⊆',
  0xce: '∈',
  0xcf: '∉',
  0xd0: '∠',
  0xd1: '∇',
  0xd2: '®',
  0xd3: '©',
  0xd4: '™',
  0xd5: '∏',
  0xd6: '√',
  0xd7: '⋅',
  0xd8: '¬',
  0xd9: '∧',
  0xda: '∨',
  0xdb: '⇔',
  0xdc: '⇐',
  0xde: '⇒',
  0xe5: '∑',
  0xf2: '∫',
};

/** Returns the Unicode text of a symbol font's character; empty for decoration without a counterpart. */
export function symbolCharacter(font: string, code: number): string {
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (/wingdings\s*2/i.test(font)) return WINGDINGS_2[low] ?? '';
  if (/wingdings/i.test(font)) return WINGDINGS[low] ?? '';
  if (/symbol/i.test(font)) {
    if (low >= 0x61 && low <= 0x7a) return SYMBOL_LOWER.charAt(low - 0x61);
    if (low >= 0x41 && low <= 0x5a) return SYMBOL_UPPER.charAt(low - 0x41);
    return SYMBOL_OTHER[low] ?? (low < 0x80 ? String.fromCodePoint(low) : '');
  }
  return code >= 0xe000 && code <= 0xf8ff ? '' : String.fromCodePoint(code);
}

/** Returns whether the font is `Symbol` or Wingdings, whose characters `symbolCharacter` maps. */
export const isSymbolFont = (font: string): boolean => /wingdings|(^|\+)symbol/i.test(font);
