/** Groups characters into words, in content stream order. */
import { include } from '../../../layout/geometry.ts';
import type { FontStyle, Tag, Word } from '../../../layout/page/page-content.ts';
import type { GlyphRun, PageGlyphs } from './glyphs.ts';
import { separatesHeadings } from '../../../layout/headings/structure-tags.ts';
import type { QuarterTurns } from '../../../layout/page/display-box.ts';
import type { PageFrame } from '../page/page-frame.ts';
import { symbolCharacter } from '../../../structure/symbol-fonts.ts';
import { orderDirections } from './mixed-directions.ts';
import { texCharacter } from './tex-encodings.ts';

/** Gap, as a share of the font size, that separates words; and the gap up to which a new font continues a word. */
const WORD_GAP = 0.2;
const GLUE_GAP = 0.12;
/** Baseline shift, as a share of the size, at which a character starts a new word (a raised figure). */
const BASELINE_SHIFT = 0.12;
const ABUT_GAP = 0.03;
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/u;
const SIZE_CHANGE = 0.12;
const SPACE = 32;
/** Codes above this may be non-ASCII spaces. */
const LAST_ASCII = 126;
const SPACES = new Set([9, 10, 13, 32, 160, 0x2002, 0x2003, 0x2009, 0x200a, 0x200b, 0x3000, 0xfeff]);
const isSpace = (code: number): boolean => code === SPACE || ((code < SPACE || code > LAST_ASCII) && SPACES.has(code));
/** Code that PDFium uses for a hyphen at a line end. */
const LINE_END_HYPHEN = 2;

/** Returns the rotation, in quarter turns, that makes most of the page's text upright. */
export function uprightTurns(glyphs: PageGlyphs, rotation: QuarterTurns): QuarterTurns {
  const counts = [0, 0, 0, 0];
  const lengths = new Uint32Array(glyphs.runs.length);
  for (let i = 0; i < glyphs.count; i++) {
    const run = glyphs.runOf[i] ?? 0;
    lengths[run] = (lengths[run] ?? 0) + 1;
  }
  glyphs.runs.forEach(({ angle }, run) => {
    if (angle % 90 === 0) counts[(4 - angle / 90) % 4] = (counts[(4 - angle / 90) % 4] ?? 0) + (lengths[run] ?? 0);
  });
  const most = Math.max(...counts);
  // A page with both directions (a map, a form with side notes) keeps its displayed rotation.
  return most > 0 && most >= 2 * (counts[rotation] ?? 0) ? (counts.indexOf(most) as QuarterTurns) : rotation;
}

/** Decodes one character; returns an empty string for codes that are not text. */
function characterOf(code: number): string {
  if (code === LINE_END_HYPHEN || code === 0xfffe) return '-';
  if (code < 32 || (code >= 0x7f && code < 0xa0) || code > 0x10ffff || code === 0xad) return code === 0xad ? '-' : '';
  if (code >= 0xd800 && code <= 0xdfff) return '';
  const character = String.fromCodePoint(code);
  return isStyledForm(code) ? character.normalize('NFKC') : character;
}

/** Detects ligatures, presentation forms and mathematical alphabets, which encode appearance rather than letters. */
const isStyledForm = (code: number): boolean =>
  (code >= 0xfb00 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfeff) || (code >= 0x1d400 && code <= 0x1d7ff);

/** Decodes a symbol font code: the private use area, or below 256 in fonts that contain only symbols. */
function symbolOf(code: number, font: string): string | undefined {
  const isPlace = (code >= 0xf000 && code <= 0xf0ff) || (code < 0x100 && /wingdings/i.test(font));
  return isPlace ? symbolCharacter(font, code) || undefined : undefined;
}

/** Returns the code point at `index`. PDFium splits code points above 0xFFFF into a surrogate pair. */
function codeAt({ codes }: PageGlyphs, index: number): number {
  const high = codes[index] ?? 0;
  if ((high & 0xfc00) !== 0xd800) return high;
  const low = codes[index + 1] ?? 0;
  return (low & 0xfc00) === 0xdc00 ? 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff) : high;
}

/** Position and style of one character. A single object is reused for all characters. */
type Glyph = Required<Omit<Word, 'text' | 'glued' | 'sameLine' | 'tag'>> & { tag: Tag | undefined };

const NO_BOX = { x0: 0, y0: 0, x1: 0, y1: 0 };
const NO_STYLE: FontStyle = { name: '', bold: false, italic: false, monospace: false };

class WordBuilder {
  readonly words: Word[] = [];
  private current: Word | undefined;
  private wordEnded = true;

  /** Ends the current word, so that the next character starts a new one. */
  endWord(): void {
    this.wordEnded = true;
  }

  add(text: string, glyph: Glyph): void {
    const word = this.current;
    if (this.wordEnded && word !== undefined && RIGHT_TO_LEFT.test(text) && this.abuts(word, glyph))
      this.wordEnded = false;
    // The digits of a fraction overlap its slash, which leaves no gap.
    if (text === '⁄' && word !== undefined && glyph.x0 < word.x1) this.wordEnded = false;
    if (word !== undefined && !this.wordEnded && this.continues(word, glyph)) {
      word.text += text;
      include(word, glyph);
      return;
    }
    const glued = word !== undefined && !this.wordEnded && this.touches(word, glyph);
    const { x0, y0, x1, y1, baseline, size, em, style, angle, tag } = glyph;
    this.current = { x0, y0, x1, y1, text, baseline, size, em, style, glued, angle };
    if (tag !== undefined) this.current.tag = tag;
    this.words.push(this.current);
    this.wordEnded = false;
  }

  private continues(word: Word, glyph: Glyph): boolean {
    return (
      word.angle === glyph.angle &&
      !separatesHeadings(word.tag, glyph.tag) &&
      sameStyle(word.style, glyph.style) &&
      Math.abs(word.size - glyph.size) <= SIZE_CHANGE * word.size &&
      (word.angle % 180 !== 0 || Math.abs(word.baseline - glyph.baseline) <= BASELINE_SHIFT * word.size) &&
      gapBetween(word, glyph) <= WORD_GAP * word.size
    );
  }

  /** Detects spurious spaces that PDFium's right-to-left reordering inserts between adjacent letters. */
  private abuts(word: Word, glyph: Glyph): boolean {
    return (
      RIGHT_TO_LEFT.test(word.text) &&
      this.continues(word, glyph) &&
      Math.abs(word.x0 - glyph.x1) <= ABUT_GAP * word.size
    );
  }

  private touches(word: Word, glyph: Glyph): boolean {
    const size = Math.max(word.size, glyph.size);
    return (
      word.angle === glyph.angle &&
      Math.abs(word.baseline - glyph.baseline) <= 0.6 * size &&
      Math.min(word.y1, glyph.y1) > Math.max(word.y0, glyph.y0) &&
      gapBetween(word, glyph) <= GLUE_GAP * size
    );
  }
}

const sameStyle = (a: FontStyle, b: FontStyle): boolean =>
  a === b || (a.bold === b.bold && a.italic === b.italic && a.monospace === b.monospace);

/** Returns the gap along the writing direction, for either direction. */
function gapBetween(word: Word, glyph: Glyph): number {
  const across = Math.max(glyph.x0 - word.x1, word.x0 - glyph.x1);
  if (word.angle % 180 === 0) return across;
  const down = Math.max(glyph.y0 - word.y1, word.y0 - glyph.y1);
  return word.angle % 90 === 0 ? down : Math.max(across, down);
}

/** Accents that TeX fonts draw as separate glyphs above the letter, mapped to combining marks. */
const ACCENTS = new Map([
  [0x60, '\u0300'],
  [0xb4, '\u0301'],
  [0x2c6, '\u0302'],
  [0x2dc, '\u0303'],
  [0xaf, '\u0304'],
  [0x2d8, '\u0306'],
  [0x2d9, '\u0307'],
  [0xa8, '\u0308'],
  [0x2da, '\u030a'],
  [0x2dd, '\u030b'],
  [0x2c7, '\u030c'],
  [0xb8, '\u0327'],
]);
const LOWEST_ACCENT = 0x60;
/** Maximum distance, in characters of PDFium's order, between an accent and its letter. */
const MAX_ACCENT_DISTANCE = 120;
const LETTER = /\p{L}/u;

/** Combining marks by character index of their letter, and the indexes of the accent characters. */
interface PlacedAccents {
  marks: Map<number, string>;
  used: Set<number>;
}

function placedAccents({ codes, count, boxes, origins }: PageGlyphs): PlacedAccents {
  const [marks, used] = [new Map<number, string>(), new Set<number>()];
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0;
    if (code < LOWEST_ACCENT) continue;
    const mark = ACCENTS.get(code);
    if (mark === undefined) continue;
    const middle = ((boxes[i * 4] ?? 0) + (boxes[i * 4 + 2] ?? 0)) / 2;
    const size = (boxes[i * 4 + 1] ?? 0) - (boxes[i * 4 + 3] ?? 0);
    for (let j = Math.max(0, i - MAX_ACCENT_DISTANCE); j < Math.min(count, i + MAX_ACCENT_DISTANCE); j++) {
      const level = Math.abs((origins[j * 2 + 1] ?? 0) - (origins[i * 2 + 1] ?? 0)) < 0.4 * size;
      const over = (boxes[j * 4] ?? 0) < middle && (boxes[j * 4 + 2] ?? 0) > middle;
      if (j === i || !level || !over || marks.has(j) || !LETTER.test(characterOf(codes[j] ?? 0))) continue;
      marks.set(j, mark);
      used.add(i);
      break;
    }
  }
  return { marks, used };
}

/** Composes letter and accent; TeX puts accents over the dotless i and j. */
const accented = (letter: string, mark: string): string =>
  (letter.replace('\u0131', 'i').replace('\u0237', 'j') + mark).normalize('NFC');

/** Returns the letter with its accent; empty for the accent character itself. */
function withAccent(text: string, index: number, { marks, used }: PlacedAccents): string {
  if (used.has(index)) return '';
  const mark = marks.get(index);
  return mark === undefined ? text : accented(text, mark);
}

function decoded(code: number, { unmapped, symbolic, style }: GlyphRun): string {
  const sign = symbolic ? symbolOf(code, style.name) : undefined;
  return sign ?? (unmapped ? texCharacter(code, style) : undefined) ?? characterOf(code);
}

const BULLET = '•';
/** Minimum and maximum gap between a bullet and its text, and distance of other text on its line, in font sizes. */
const MIN_BULLET_GAP = 0.2;
const MAX_BULLET_GAP = 4;
const MIN_APART = 6;
/** Maximum difference of baselines on one line, in font sizes. */
const SAME_LINE = 0.3;

/**
 * Returns the run after a character without Unicode value if the character is the bullet of a list item: alone in its
 * run, at the start of a line, before a gap. Bitmap fonts (Type 3) seldom name their signs.
 */
function textOfItem(glyphs: PageGlyphs, index: number): GlyphRun | undefined {
  const { codes, count, runOf, boxes, origins, runs } = glyphs;
  const isDrawn = (i: number): boolean => !isSpace(codes[i] ?? SPACE);
  let [before, after] = [index - 1, index + 1];
  while (before >= 0 && !isDrawn(before)) before--;
  while (after < count && !isDrawn(after)) after++;
  const text = runs[runOf[after] ?? -1];
  if (after >= count || text === undefined || text.unmapped || runOf[after] === runOf[index]) return undefined;
  const level = (i: number): number => Math.abs((origins[i * 2 + 1] ?? 0) - (origins[index * 2 + 1] ?? 0)) / text.em;
  const gap = ((boxes[after * 4] ?? 0) - (boxes[index * 4 + 2] ?? 0)) / text.em;
  if (level(after) > SAME_LINE || gap < MIN_BULLET_GAP || gap > MAX_BULLET_GAP) return undefined;
  if (before < 0) return text;
  const isApart = Math.abs((boxes[index * 4] ?? 0) - (boxes[before * 4 + 2] ?? 0)) > MIN_APART * text.em;
  return runOf[before] !== runOf[index] && (level(before) > SAME_LINE || isApart) ? text : undefined;
}

/** Returns the words of the page in its reading frame, without characters outside the page. */
export function wordsOf(glyphs: PageGlyphs, frame: PageFrame, tags?: ReadonlyMap<number, Tag>): Word[] {
  const reader = new WordBuilder();
  const { boxes, origins, runOf } = glyphs;
  const accents = placedAccents(glyphs);
  const hasAccents = accents.used.size > 0;
  const glyph: Glyph = { ...NO_BOX, baseline: 0, size: 0, em: 0, style: NO_STYLE, angle: 0, tag: undefined };
  let run: GlyphRun | undefined;
  let upright = true;
  for (let i = 0; i < glyphs.count; i++) {
    const code = codeAt(glyphs, i);
    if (isSpace(code)) {
      // PDFium surrounds a separate accent with spaces; a real space also shows as a gap.
      if (!hasAccents || (!accents.used.has(i - 1) && !accents.used.has(i + 1))) reader.endWord();
      continue;
    }
    const own = glyphs.runs[runOf[i] ?? 0];
    if (own === undefined) continue;
    if (own !== run) {
      run = own;
      glyph.tag = tags?.get(run.contentId);
      glyph.angle = (run.angle + 90 * frame.turns) % 360;
      upright = glyph.angle % 180 === 0;
    }
    const plain = run.unmapped || run.symbolic ? decoded(code, run) : characterOf(code);
    const item = plain === '' && run.unmapped ? textOfItem(glyphs, i) : undefined;
    const text = item !== undefined ? BULLET : hasAccents ? withAccent(plain, i, accents) : plain;
    if (text === '') continue;
    glyph.em = (item ?? run).em;
    glyph.style = (item ?? run).style;
    const at = i * 4;
    frame.place(glyph, boxes[at] ?? 0, boxes[at + 1] ?? 0, boxes[at + 2] ?? 0, boxes[at + 3] ?? 0);
    if (glyph.x1 < 0 || glyph.y1 < 0 || glyph.x0 > frame.width || glyph.y0 > frame.height) continue;
    const x = origins[i * 2] ?? 0;
    const y = origins[i * 2 + 1] ?? 0;
    glyph.baseline = upright ? frame.y(x, y) : frame.x(x, y);
    glyph.size = Math.round((upright ? glyph.y1 - glyph.y0 : glyph.x1 - glyph.x0) * 4) / 4;
    reader.add(text, glyph);
  }
  return orderDirections(withLogicalEnds(reader.words));
}

const LEADING_STOP = /^([.,:;!]+)(\d[\d.,/]*)$/;

/** Moves punctuation drawn left of a number behind the number in right-to-left text. */
function withLogicalEnds(words: Word[]): Word[] {
  words.forEach((word, index) => {
    const stop = LEADING_STOP.exec(word.text);
    const before = words[index - 1];
    if (stop === null || before === undefined || !RIGHT_TO_LEFT.test(before.text)) return;
    if (before.x0 >= word.x1 - 1 && Math.abs(before.baseline - word.baseline) < 0.3 * word.size)
      word.text = `${stop[2] ?? ''}${stop[1] ?? ''}`;
  });
  return words;
}
