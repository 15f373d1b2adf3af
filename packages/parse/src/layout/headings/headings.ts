/** Decides which line groups are headings, and their levels. */
import { width, type Box } from '../geometry.ts';
import { characterCount, textOf, type Line } from '../lines/line.ts';
import type { LineGroup } from '../lines/line-groups.ts';
import { mostFrequent } from '../statistics.ts';

/** Typographic style of the document's running text. */
export interface BodyStyle {
  size: number;
  /** Nominal size of most characters, if known. */
  em?: number | undefined;
  /** Shares of bold and italic characters: in a bold document, bold does not mark headings. */
  boldShare: number;
  italicShare: number;
  /** Share of monospace characters. */
  monospaceShare: number;
  /** Font family of most characters; empty if it is not known. */
  family: string;
}

/** Share of monospace characters above which monospace is the document's body font. */
export const MAX_MONOSPACE_SHARE = 0.4;
const MAX_LENGTH = 160;
const MAX_LINES = 4;
const NUMBERED =
  /^(?:\d{1,2}(?:\.\d{1,3}){0,4}\.?|[A-Z]\.(?:\d+\.?)*|[IVX]{1,5}\.|§+\s*\d+\w*|(?:chapter|section|appendix|annex|article|part|kapitel|abschnitt|anhang|artikel|chapitre|capítulo|第)\b.{0,6}?[\dIVXA-Z]+)[\s:.–—-]+\S/iu;
/** Matches the number of a section below the first level, such as `3.1.2`. */
const SUBSECTION = /^\d{1,2}(?:\.\d{1,3}){1,4}\.?\s+\S/u;
/** Maximum length of a larger heading with such a number: questions and several sentences are titles, too. */
const MAX_SUBSECTION = 240;

/** Heading sizes relative to the body size. */
export const LARGE = 1.2;
export const LARGER = 1.06;
const LARGER_FAMILY = 1.1;

export const isNumbered = (text: string): boolean => NUMBERED.test(text);

export function bodyStyleOf(lines: Iterable<Line>): BodyStyle {
  const sizes = new Map<number, number>();
  const ems = new Map<number | undefined, number>();
  const families = new Map<string, number>();
  let [total, bold, italic, monospace] = [0, 0, 0, 0];
  for (const line of lines) {
    const count = characterCount(line.words);
    const size = Math.round(line.size * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + count);
    const em = line.em === undefined ? undefined : Math.round(line.em * 4) / 4;
    ems.set(em, (ems.get(em) ?? 0) + count);
    const family = familyOf(line);
    families.set(family, (families.get(family) ?? 0) + count);
    total += count;
    if (line.bold) bold += count;
    if (line.italic) italic += count;
    if (line.monospace) monospace += count;
  }
  return {
    size: mostFrequent(sizes) ?? 10,
    em: mostFrequent(ems),
    boldShare: total ? bold / total : 0,
    italicShare: total ? italic / total : 0,
    monospaceShare: total ? monospace / total : 0,
    family: mostFrequent(families) ?? '',
  };
}

/** Returns the font's name without its style and optical size: `CMR` of `CMR10`. */
const familyOf = ({ words: [word] }: Line): string =>
  (word?.style.name ?? '').replace(/(?:[-,].*|PSMT|MT)$/, '').replace(/\d+$/, '');

/** Returns the size of a group relative to the running text, by nominal size where it is known. */
export const sizeRatio = ({ em, size }: Pick<LineGroup, 'em' | 'size'>, body: BodyStyle): number =>
  em !== undefined && body.em !== undefined ? em / body.em : size / body.size;

/** Surroundings of a line group, which the heading decision needs besides its style. */
export interface HeadingContext {
  /** Width of the column or page that contains the group. */
  columnWidth: () => number;
  /** The following line group. */
  next: (Box & { size: number; em: number | undefined; bold: boolean; italic: boolean }) | undefined;
}

export function isHeading(group: LineGroup, body: BodyStyle, context: HeadingContext): boolean {
  if (group.lines.length > MAX_LINES) return false;
  const text = group.lines.map((line) => textOf(line.words)).join(' ');
  const isSubsection = SUBSECTION.test(text) && sizeRatio(group, body) >= (group.bold ? LARGER : LARGE);
  if (text.length > (isSubsection ? MAX_SUBSECTION : MAX_LENGTH) || !/\p{L}{2}|\p{Script=Han}/u.test(text))
    return false;
  if (
    /[,;]$/.test(text) ||
    /\.{4}|(\. ){4}|_{4}|\s…(?: \S{1,7})?$/u.test(text) ||
    /^(?:[a-z•]|[-–—*]\s)/u.test(text) ||
    /@|https?:/.test(text)
  )
    return false;
  if (/^(?:source|note|quelle|fuente)s?\b\s*:|©|^copyright\b.*\d{4}/i.test(text)) return false;
  if (ADMONITION.test(text) || isDate(text)) return false;
  const ratio = sizeRatio(group, body);
  const numbered = NUMBERED.test(text);
  if (isSubsection) return true;
  if (ratio < LARGE && startsWithCode(group) && body.monospaceShare < MAX_MONOSPACE_SHARE) return false;
  const sentence = /[.:!?]["'”’)\]]*$/u.test(text) && !(numbered && text.length < 80);
  if (ratio >= LARGE) return (text.length <= 120 || group.bold) && !(sentence && text.length > 60);
  if (ratio >= LARGER && (group.bold || numbered) && !sentence) return true;
  if (ratio >= LARGER_FAMILY && !sentence && isInOtherFamily(group, body) && context.next !== undefined)
    return group.lines.length <= 2 && sizeRatio(context.next, body) < ratio;
  if (ratio < 0.93 || sentence || group.lines.length > 2) return false;
  const short =
    text.length <= 90 && (group.lines.length > 1 || width(group) < 0.9 * context.columnWidth() || group.bold);
  const { next } = context;
  const leads = next !== undefined && next.size <= group.size + 0.5;
  if (group.bold && body.boldShare < 0.3) return short && leads;
  if (isCapitals(text)) return short && text.length <= 60 && leads && !next.bold;
  const set = group.italic && body.italicShare < 0.25 && next !== undefined && !next.italic;
  return (
    set &&
    short &&
    leads &&
    text.length <= 60 &&
    group.lines.length === 1 &&
    /^\p{Lu}/u.test(text) &&
    next !== undefined &&
    next.y0 - group.y1 < group.size
  );
}

/** Checks for a title in a font of its own, such as a sans serif one above text with serifs. */
const isInOtherFamily = ({ lines }: LineGroup, { family }: BodyStyle): boolean =>
  family !== '' &&
  /^[\p{Lu}\p{Lo}\d]/u.test(textOf(lines[0]?.words ?? [])) &&
  lines.every((line) => !line.monospace && familyOf(line) !== family);

/** Checks for a line that begins with code, such as the declaration of a function. */
const startsWithCode = ({ lines: [first] }: LineGroup): boolean => first?.words[0]?.style.monospace === true;

/** Checks for four capital letters or more, three of them together. */
const isCapitals = (text: string): boolean =>
  /\p{Lu}{3}/u.test(text) && /(?:\p{Lu}\P{Lu}*){4}/u.test(text) && text === text.toUpperCase();

/** Style of a heading; headings of one style have one level. */
export interface HeadingStyle {
  size: number;
  bold: boolean;
  italic: boolean;
  text: string;
}

/** A heading that names a chapter, part or appendix, whose sections are numbered `2.1`. */
export const CHAPTER =
  /^(?:(?:appendix|annex|anhang|appendice|annexe|ap[éeê]ndice|bijlage|приложение|dodatek|załącznik|příloha|liite|bilaga|vedlegg|付録|附录|附錄)\s*(?:[A-Z]|\d{1,2})(?=$|[\s.:])|(?:chapter|part|kapitel|teil|chapitre|partie|cap[ií]tulo|capitolo|hoofdstuk|глава|rozdzia[łl]|第)\s*(?:\d{1,3}|[IVXLC]{1,6}|[一二三四五六七八九十]{1,3})(?=$|[\s.:章]))/iu;

/** Labels of notes and examples, which end with a colon. */
const ADMONITION =
  /^(?:note|warning|tip|caution|important|hint|attention|danger|example|remark|hinweis|achtung|warnung|wichtig|tipp|beispiel|remarque|avertissement|conseil|exemple|nota|advertencia|aviso|consejo|ejemplo|atenção|dica|exemplo|avvertenza|attenzione|suggerimento|esempio|opmerking|waarschuwing|voorbeeld|uwaga|przykład|примечание|внимание|предупреждение|пример|注意|警告|提示|例)s?\s?[:：]$/iu;

const DATE =
  /^(?:\d{1,2}\.?\s(?:de\s)?\p{L}{3,12}\.?\s(?:de\s)?\d{4}(?:\sг\.)?|\p{L}{3,12}\.?\s\d{1,2},\s\d{4}|\d{4}-\d{2}-\d{2})$/u;
const LABELLED_DATE = /^[\p{L}\s]{3,30}:\s*\d{1,2}[./]\d{1,2}[./]\d{4}$/u;
const isDate = (text: string): boolean => DATE.test(text) || LABELLED_DATE.test(text);

/** Returns the depth of a section number, such as 2 for `3.1`, and 1 for a chapter; 0 without a number. */
function numberDepth(text: string): number {
  if (CHAPTER.test(text)) return 1;
  if (isDate(text)) return 0;
  const number = /^(\d{1,2}(?:\.\d{1,3}){0,5})\.?\s/.exec(text)?.[1];
  return number === undefined ? 0 : number.split('.').length;
}

/** Deepest level of a first section number; above it is the title of the document. */
const MAX_BASE = 2;
const MAX_LEVEL = 6;

/**
 * Returns levels 1..6. Section numbers determine the levels of their headings and of all headings of the same style;
 * other styles follow by size and weight.
 */
export function headingLevels(headings: readonly HeadingStyle[]): number[] {
  const keyOf = (style: HeadingStyle): number =>
    Math.round(style.size) * 4 + (style.bold ? 2 : 0) + (style.italic ? 0 : 1);
  const keys = [...new Set(headings.map(keyOf))].toSorted((a, b) => b - a);
  const numbered = headings.map((style) => ({ key: keyOf(style), depth: numberDepth(style.text) }));
  const base = baseLevel(numbered, keys);
  const levelOf = (depth: number): number => Math.min(MAX_LEVEL, base + depth - 1);
  const levels = new Map<number, number>();
  let above = 0;
  for (const key of keys) {
    const depths = new Map<number, number>();
    for (const heading of numbered)
      if (heading.key === key && heading.depth > 0) depths.set(heading.depth, (depths.get(heading.depth) ?? 0) + 1);
    const depth = mostFrequent(depths);
    above = depth === undefined ? Math.min(MAX_LEVEL, above + 1) : levelOf(depth);
    levels.set(key, above);
  }
  return numbered.map(({ key, depth }) => (depth === 0 ? (levels.get(key) ?? 1) : levelOf(depth)));
}

/** Returns the level of depth 1: that of its style, or 2 below a title. */
function baseLevel(numbered: readonly { key: number; depth: number }[], keys: readonly number[]): number {
  const depths = numbered.filter(({ depth }) => depth > 0).map(({ depth }) => depth);
  const least = Math.min(...depths);
  const ranks = numbered.filter(({ depth }) => depth === least).map(({ key }) => keys.indexOf(key) + 1);
  return depths.length === 0 ? 1 : Math.max(1, Math.min(MAX_BASE, Math.min(...ranks) - (least - 1)));
}
