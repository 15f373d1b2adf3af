/** Detects mathematical words by font, symbols and operator names. */
import { OPERATORS } from '../../latex/symbols.ts';
import type { Line } from '../lines/line.ts';
import type { FontStyle, Word } from '../page/page-content.ts';

/** Math fonts of TeX and its successors, of browsers and of office programs. */
const MATH_FONT =
  /^(?:CM(?:MI|SY|EX|MIB|BSY)\d*|MS[AB]M\d*|EU[FRS][MB]\d*|LM(?:Math|Roman.*Math)|(?:Pazo|Cambria|STIX.*|XITS|Asana|Latin ?Modern|TeXGyre\w*|Libertinus|Fira|Euclid)[- ]?Math|KaTeX_|MathJax|MJX|(?:rtx|tx|px|zpl|ntx|ptm|New(?:TX|PX))\w*(?:mi|sy|ex)|MT(?:MI|SY|EX)|MTExtra|Math(?:ematica|Pi)|RM(?:TMI|PMI)|stix-.*math|\w*MathItalic|\w*MathSymbols)/i;
const CALLIGRAPHIC_FONT = /^(?:CM[B]?SY|LMMathSymbols|\w*sy\b)/i;
const BLACKBOARD_FONT = /^(?:MSBM|BBOLD|DSROM|KaTeX_AMS)/i;
const FRAKTUR_FONT = /^(?:EUF|KaTeX_Fraktur)/i;
/** Fonts with TeX's Greek letter names, in which `phi` and `epsilon` are the forms that Unicode calls symbols. */
const TEX_FONT = /^(?:CMMI|LMMathItalic|PazoMath|MTMI|rtxmi|NewTXMI|txmi)/i;

const RELATION = /[=<>≤≥≠≈≡∼≃≅∈∉∋⊂⊃⊆⊇→←↔⇒⇐⇔↦∝≺≻≪≫⊢⊨∥⊥≜≐]/u;
const SIGN = /[+−±∓×÷⋅∗∘⊕⊗∪∩∧∨∑∏∐∫∮⋃⋂⋁⋀⨁⨂√∂∇∞∀∃∅∆′⟨⟩‖Α-Ωα-ωϑϕϖϱϵ]/u;

/** Detects fonts of large symbols, whose height is meaningless because glyphs extend far from the baseline. */
export const isExtensionFont = (name: string): boolean => /CMEX|MathExtension|(?:MT|tx|px)ex\b/i.test(name);

export type Alphabet = 'mathcal' | 'mathbb' | 'mathfrak' | undefined;

const mathFonts = new WeakMap<FontStyle, boolean>();

/** Checks for a math font. The result is cached per font because the check runs for every word. */
export function isMathFont({ style }: Word): boolean {
  const known = mathFonts.get(style);
  if (known !== undefined) return known;
  const found = MATH_FONT.test(style.name);
  mathFonts.set(style, found);
  return found;
}

export const isTexFont = (word: Word): boolean => TEX_FONT.test(word.style.name);
export const hasRelation = (text: string): boolean => RELATION.test(text);
export const hasMathSign = (text: string): boolean => RELATION.test(text) || SIGN.test(text);

export function alphabetOf({ style: { name } }: Word): Alphabet {
  if (CALLIGRAPHIC_FONT.test(name)) return 'mathcal';
  if (BLACKBOARD_FONT.test(name)) return 'mathbb';
  return FRAKTUR_FONT.test(name) ? 'mathfrak' : undefined;
}

const LETTERS = /\p{L}{3,}/u;

/** Detects a word of running text: several letters in a text font that form neither an operator nor a product. */
export function isTextWord(word: Word): boolean {
  const letters = LETTERS.exec(word.text)?.[0];
  if (letters === undefined || OPERATORS.has(letters) || isMathFont(word)) return false;
  return letters.length > 3 || !word.style.italic;
}

/** Checks whether most of a line's characters are in words of running text. */
export function isTextLine(line: Line): boolean {
  let [text, total] = [0, 0];
  let count = 0;
  for (const word of line.words) {
    total += word.text.length;
    if (!isTextWord(word)) continue;
    count++;
    text += word.text.length;
  }
  return count > 0 && (text > 0.4 * total || count > 2);
}
