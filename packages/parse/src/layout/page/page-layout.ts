/** Lays out one page: finds its tables, figures and line groups, orders and classifies them. */
import { joinCodeListings, joinListingRows } from './code-listings.ts';
import { area, boundsOf, holdsCentre, overlapX, width, type Box } from '../geometry.ts';
import { findFigures } from './figures.ts';
import { findFootnotes } from './footnotes.ts';
import { findFormulas, type Formula } from '../formulas/find-formulas.ts';
import { isHeading, LARGE, MAX_MONOSPACE_SHARE, sizeRatio, type BodyStyle } from '../headings/headings.ts';
import { characterCount, isRightToLeft, textOf, type Line } from '../lines/line.ts';
import { listMarker } from '../lines/list-marker.ts';
import { tieNotes } from './note-marks.ts';
import { joinNumberedListings } from './numbered-listings.ts';
import type { PageContent, PageField, Rule, Word } from './page-content.ts';
import { groupLines, type LineGroup } from '../lines/line-groups.ts';
import { inReadingOrder, type Placed } from './reading-order.ts';
import { tagOf } from '../headings/structure-tags.ts';
import { joinTornNumbers } from '../headings/torn-numbers.ts';
import { findTables } from '../tables/find-tables.ts';
import { mirrored, type Table } from '../tables/table.ts';

export type TextKind = 'paragraph' | 'heading' | 'listItem' | 'entry' | 'caption' | 'footnote' | 'code';

export interface TextElement extends Placed {
  kind: TextKind;
  group: LineGroup;
}

export interface TableElement extends Placed {
  kind: 'table';
  table: Table;
}

export interface FigureElement extends Placed {
  kind: 'figure';
  /** Lines of text on the picture. */
  labels: Line[];
}

export interface FieldElement extends Placed {
  kind: 'field';
  field: PageField;
}

export interface FormulaElement extends Placed {
  kind: 'formula';
  latex: string;
}

export type PageElement = TextElement | TableElement | FigureElement | FieldElement | FormulaElement;

export interface PageLayout {
  page: PageContent;
  elements: PageElement[];
}

const CAPTION_WORD =
  /^(?:figure|fig\.?|table|tab\.|chart|exhibit|box|plate|photo|graph|scheme|map|diagram|abbildung|abb\.|tabelle|tableau|figura|tabla|tabela|tabella|рис\.|таблица|图|表|図)\s*/iu;
const CAPTION_NUMBER = /^(?:[A-Z]{0,2}\d{1,3}|[IVX]{1,5}|[A-Z]{1,2})(?:[.\-–]\d{1,3})*[a-z]?(?=[\s:.,)–—|-]|$)/u;

export function isCaption(text: string): boolean {
  const word = CAPTION_WORD.exec(text)?.[0];
  return word !== undefined && text.length < 400 && CAPTION_NUMBER.test(text.slice(word.length));
}

/** Maximum number of words of a page that is searched for tables; the densest legitimate page had 3,000. */
const MAX_WORDS = 20_000;
/** Maximum number of line groups of a page that are classified, because classification compares every pair. */
const MAX_GROUPS = 3000;

/** Document-wide properties that the layout of each page needs. */
export interface DocumentStyle {
  body: BodyStyle;
  /** Whether text tagged as something other than a heading cannot be a heading. */
  headingsAreTagged: boolean;
}

/** `contents` is the area of the entries of a table of contents on this page. */
export function layOutPage(
  page: PageContent,
  lines: readonly Line[],
  style: DocumentStyle,
  contents?: Box,
): PageLayout {
  const rightToLeft = isRightToLeft(page.words);
  const isTable = (table: Table): boolean => !isListing(table, page.rules, style.body);
  const listings = joinNumberedListings(lines, page.rules, isReport(style.body));
  const apart = contents === undefined ? listings.areas : [...listings.areas, contents];
  const isFree = (box: Box): boolean => !apart.some((area) => holdsCentre(area, box));
  const searched = apart.length === 0 ? page : { ...page, words: page.words.filter(isFree) };
  const found =
    page.words.length > MAX_WORDS ? [] : findTables(searched, listings.lines.filter(isFree)).filter(isTable);
  const tables = rightToLeft ? found.map(mirrored) : found;
  const outsideTables = listings.lines.filter((line) => !tables.some((table) => holdsCentre(table, line)));
  const figures = findFigures(page, tables, outsideTables);
  const isLabel = (line: Line): boolean => figures.some((figure) => holdsCentre(figure, line));
  const free = outsideTables.filter((line) => !isLabel(line));
  const formulas = findFormulas(free.filter(isFree), page.rules);
  const grouped = formulas.length === 0 ? free : withoutFormulas(free, formulas);
  const groups = groupLines(isReport(style.body) ? grouped : joinListingRows(grouped), contents);
  const elements: PageElement[] = [
    ...groups.map(textElement),
    ...tables.map((table) => tableElement(table, page.words)),
  ];
  const labelled = new Set<Line>();
  for (const figure of figures.toSorted((a, b) => area(a) - area(b))) {
    const labels = outsideTables.filter((line) => holdsCentre(figure, line) && !labelled.has(line));
    for (const line of labels) labelled.add(line);
    elements.push({ ...figure, order: orderOfFigure(figure, labels, elements), weight: 0, kind: 'figure', labels });
  }
  elements.push(...formulas.map(formulaElement));
  for (const field of page.fields) {
    if (field.value === '' && field.label === '') continue;
    elements.push({ ...boundsOf([field]), order: orderOfFigure(field, [], elements), weight: 0, kind: 'field', field });
  }
  const ordered = joinCodeListings(inReadingOrder(elements, rightToLeft), style.body);
  if (groups.length <= MAX_GROUPS) {
    classify(ordered, page, style);
    tieNotes(ordered.filter(isText));
  }
  return { page, elements: footnotesLast(joinTornNumbers(ordered, style.body)) };
}

/** Minimum distance, in points, of a rule within a table from its edges. */
const INNER_RULE = 3;

/**
 * Checks for aligned text of a listing, such as the output of a command: a table in monospace only, without rules or
 * with those of a frame.
 */
function isListing(table: Table, rules: readonly Rule[], body: BodyStyle): boolean {
  if (isReport(body) || !table.cells.every(({ words }) => words.every(({ style }) => style.monospace))) return false;
  return !table.ruled || !rules.some((rule) => isInside(rule, table));
}

function isInside({ horizontal, at, from, to }: Rule, { x0, y0, x1, y1 }: Box): boolean {
  const [start, end, low, high] = horizontal ? [x0, x1, y0, y1] : [y0, y1, x0, x1];
  return at > low + INNER_RULE && at < high - INNER_RULE && Math.min(to, end) - Math.max(from, start) > 0;
}

/** Checks for a document that is set in a monospace font. */
const isReport = (body: BodyStyle): boolean => body.monospaceShare > MAX_MONOSPACE_SHARE;

/** Matches a section number before a capital letter; only bold text is checked. */
const SECTION = /^(\d{1,2})[.)]?\s+\p{Lu}/u;

function sectionNumber({ bold, lines: [first] }: LineGroup): { number?: number } {
  const number = bold && first !== undefined ? SECTION.exec(textOf(first.words))?.[1] : undefined;
  return number === undefined ? {} : { number: Number(number) };
}

const textElement = (group: LineGroup): TextElement => ({
  ...boundsOf([group]),
  ...sectionNumber(group),
  order: group.order,
  weight: group.lines.reduce((sum, line) => sum + characterCount(line.words), 0),
  kind: 'paragraph',
  group,
});

const tableElement = (table: Table, words: readonly Word[]): TableElement => ({
  ...boundsOf([table]),
  order: firstOrder(table, words),
  weight: table.cells.reduce((sum, cell) => sum + cell.text.length, 0),
  kind: 'table',
  table,
});

const formulaElement = ({ latex, lines, x0, y0, x1, y1 }: Formula): FormulaElement => ({
  x0,
  y0,
  x1,
  y1,
  order: Math.min(...lines.map((line) => line.order)),
  // Weight 0: formulas are often drawn last, so their position is more reliable.
  weight: 0,
  kind: 'formula',
  latex,
});

function withoutFormulas(lines: readonly Line[], formulas: readonly Formula[]): Line[] {
  const used = new Set(formulas.flatMap((formula) => formula.lines));
  return lines.filter((line) => !used.has(line));
}

/** Returns the drawing index of the table's first word. */
function firstOrder(table: Table, words: readonly Word[]): number {
  const own = new Set(table.cells.flatMap((cell) => cell.words));
  const first = words.findIndex((word) => own.has(word));
  return first < 0 ? Infinity : first;
}

/** Orders a figure after the nearest element above it, because pictures are usually drawn before or after all text. */
function orderOfFigure(figure: Box, labels: readonly Line[], elements: readonly PageElement[]): number {
  if (labels.length > 0) return Math.min(...labels.map((line) => line.order));
  const above = elements.filter((element) => element.y1 <= figure.y0 + 4 && overlapX(element, figure) > 0);
  const nearest = above.toSorted((a, b) => b.y1 - a.y1)[0];
  return nearest === undefined ? -1 : nearest.order + 0.5;
}

const isText = (element: PageElement): element is TextElement => 'group' in element;

function classify(
  elements: readonly PageElement[],
  page: PageContent,
  { body, headingsAreTagged }: DocumentStyle,
): void {
  const groups = elements.filter(isText);
  const footnotes = findFootnotes(groups, page, body);
  groups.forEach((element, index) => {
    const { group } = element;
    const text = group.lines.map((line) => textOf(line.words)).join(' ');
    const next = groups[index + 1]?.group;
    const context = { columnWidth: () => columnWidth(group, groups), next };
    const tag = group.lines[0] && tagOf(group.lines[0]);
    // Some programs tag titles as paragraphs, so large text may still be a heading.
    const maybeHeading = tag === undefined || !headingsAreTagged || sizeRatio(group, body) >= LARGE;
    if (group.isEntry) element.kind = 'entry';
    else if (tag !== undefined && tag.level > 0) element.kind = 'heading';
    else if (footnotes.has(element)) element.kind = 'footnote';
    else if (isCaption(text)) element.kind = 'caption';
    else if (maybeHeading && isHeading(group, body, context)) element.kind = 'heading';
    else if (listMarker(text) !== undefined) element.kind = 'listItem';
    else if (isCode(group, body)) element.kind = 'code';
  });
}

/** Returns the width of the widest group in the same column. */
const columnWidth = (group: LineGroup, all: readonly TextElement[]): number =>
  Math.max(...all.filter((other) => overlapX(other, group) > 0.8 * width(group)).map((other) => width(other)));

/** Minimum number of characters of a listing of several lines. */
const MIN_LISTING = 20;

/**
 * Checks for a listing. A single line needs monospace words only, in a document with another body font. Running text in
 * a report that is set in a monospace font is no listing.
 */
function isCode({ lines }: LineGroup, body: BodyStyle): boolean {
  if (!lines.every((line) => line.monospace)) return false;
  const words = lines.flatMap((line) => line.words);
  if (lines.length >= 2) return characterCount(words) > MIN_LISTING && !(isReport(body) && isRunningText(lines));
  return !isReport(body) && words.length > 1 && words.every(({ style }) => style.monospace);
}

/** Minimum number of words of a line of running text, and the room that a long word leaves at its end, in sizes. */
const TEXT_WORDS = 4;
const TEXT_RAG = 8;
/** Mean number of words of lines of any length from which they are running text. */
const MANY_WORDS = 7;
const CODE_END = /[{};\\]$/;

/** Checks that all lines but the last have several words, and that they are full or have many words. */
function isRunningText(lines: readonly Line[]): boolean {
  const right = Math.max(...lines.map(({ x1 }) => x1));
  const inner = lines.slice(0, -1);
  if (inner.some(({ words }) => words.length < TEXT_WORDS || CODE_END.test(words.at(-1)?.text ?? ''))) return false;
  const count = inner.reduce((sum, { words }) => sum + words.length, 0);
  return count >= MANY_WORDS * inner.length || inner.every(({ x1, size }) => right - x1 < TEXT_RAG * size);
}

const footnotesLast = (elements: readonly PageElement[]): PageElement[] => [
  ...elements.filter((element) => element.kind !== 'footnote'),
  ...elements.filter((element) => element.kind === 'footnote'),
];
