/** Groups consecutive lines of one style into paragraphs, headings and list items. */
import { copyBox, holdsCentre, include, overlapX, overlapY, width, type Box } from '../geometry.ts';
import { isRightToLeft, lineOf, textOf, type Line } from './line.ts';
import { isLabelRow, withLabelRows } from './label-rows.ts';
import { partsOf, usualSpacing } from './hard-breaks.ts';
import { listMarker, startsListItem } from './list-marker.ts';
import { endsEntry, isPageNumber, withContentsEntries } from './leaders.ts';
import type { Word } from '../page/page-content.ts';
import { separatesHeadings, tagOf } from '../headings/structure-tags.ts';

export interface LineGroup extends Box {
  lines: Line[];
  size: number;
  /** Nominal size, if known. */
  em: number | undefined;
  bold: boolean;
  italic: boolean;
  /** Index of its first word in the page's drawing order. */
  order: number;
  /** Whether the group is an entry of a table of contents. */
  isEntry: boolean;
}

/** Number of recent groups that the next line may continue; content streams may alternate between columns. */
const OPEN_GROUPS = 8;
const SIZE_CHANGE = 0.08;
/** Maximum baseline distance within a paragraph, in font sizes. */
const MAX_PITCH = 1.8;
const FIRST_LINE_INDENT = 0.8;

/** Groups the lines of a page; `contents` is the area of the entries of a table of contents, if the page has one. */
export function groupLines(lines: readonly Line[], contents?: Box): LineGroup[] {
  const groups: LineGroup[] = [];
  const level = withLabelRows(withContentsEntries(joinedLevel(lines), contents));
  const edges = rightEdges(level);
  for (const line of level) {
    const open = groups.slice(-OPEN_GROUPS).toReversed();
    const target = open.find(
      (group, index) =>
        continues(group, line, { latest: index === 0, edges, contents }) && !isNextTitle(group, line, edges),
    );
    if (target === undefined || target.lines.length === 0) groups.push(groupOf(line, contents));
    else extend(target, line);
  }
  const spacing = usualSpacing(level);
  return groups.flatMap((group) => {
    const right = Math.max(...[0, 1].map((back) => edges.get(columnOf(group) - back) ?? 0));
    return group.isEntry ? [group] : divided(group, partsOf(group.lines, { spacing, right }), contents);
  });
}

/** Divides a group into parts that begin at the lines with the given numbers. */
function divided(group: LineGroup, starts: readonly number[], contents: Box | undefined): LineGroup[] {
  if (starts.length === 1) return [group];
  return starts.flatMap((start, index) => {
    const [first, ...rest] = group.lines.slice(start, starts[index + 1]);
    if (first === undefined) return [];
    const part = groupOf(first, contents);
    for (const line of rest) extend(part, line);
    return [part];
  });
}

const groupOf = (line: Line, contents: Box | undefined): LineGroup => ({
  ...copyBox(line),
  lines: [line],
  size: line.size,
  em: line.em,
  bold: line.bold,
  italic: line.italic,
  order: line.order,
  isEntry: contents !== undefined && holdsCentre(contents, line),
});

function extend(group: LineGroup, line: Line): void {
  group.lines.push(line);
  include(group, line);
  group.italic &&= line.italic;
}

/** Joins adjacent segments of one line that were drawn consecutively or split by a font change. */
function joinedLevel(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (
      last !== undefined &&
      sameLevel(last, line) &&
      isOneLine(last, line) &&
      !separatesHeadings(tagOf(last), tagOf(line))
    ) {
      joined[joined.length - 1] = lineOf([...last.words, ...line.words], last.order);
    } else {
      joined.push(line);
    }
  }
  return joined;
}

/** Maximum gap, in font sizes, between a section number or list marker and its text. */
const TAB = 6;
/** Number of a section below the first level; items of lists have simple numbers. */
const SECTION = /^\d{1,2}(?:\.\d{1,3}){1,4}\.?$/;
const SECTION_NUMBER = /^(?:\d{1,2}(?:\.\d{1,3})*\.?|[A-Z]\.)$/;

function isOneLine(last: Line, line: Line): boolean {
  const gap = Math.max(line.x0 - last.x1, last.x0 - line.x1);
  if (gap <= 0.9 * last.size) return true;
  if (gap > TAB * last.size || line.x0 < last.x0) return false;
  const text = textOf(last.words);
  const isNumber = SECTION_NUMBER.test(text) && last.bold === line.bold && Math.abs(last.size - line.size) < 0.5;
  return isNumber || (text.length <= 5 && startsListItem(lineOf([...last.words, ...line.words], 0)));
}

const sameLevel = (a: Line, b: Line): boolean =>
  a.words[0]?.angle === b.words[0]?.angle &&
  Math.abs(a.baseline - b.baseline) <= 0.4 * Math.max(a.size, b.size) &&
  overlapY(a, b) > 0;

interface GroupContext {
  /** Whether the group is the last one. */
  latest: boolean;
  /** Right edges of the columns. */
  edges: ReadonlyMap<number, number>;
  /** Area of a table of contents. */
  contents: Box | undefined;
}

function continues(group: LineGroup, line: Line, { latest, edges, contents }: GroupContext): boolean {
  const last = group.lines.at(-1);
  if (last === undefined || last.words[0]?.angle !== line.words[0]?.angle) return false;
  if (!isSameSize(group, line)) return false;
  if (isRow(last) || isRow(line) || separatesHeadings(tagOf(last), tagOf(line))) return false;
  const pitch = line.baseline - last.baseline;
  if (pitch <= 0.5 * line.size || pitch > allowedPitch(group)) return false;
  if (overlapX(group, line) < (latest ? 0 : 0.5 * Math.min(width(group), width(line)))) return false;
  if (endsEntry(last) || (contents !== undefined && !isWithinEntry(group, last, line, contents))) return false;
  if (
    line.bold !== last.bold &&
    !(group.lines.length > 1 && line.bold === group.bold) &&
    !runsOn(group, last, line, edges)
  )
    return false;
  if (line.monospace !== last.monospace && !runsOn(group, last, line, edges)) return false;
  if ((group.lines.length > 1 || startsListItem(last)) && isOutdented(group, last, line)) return false;
  if (isItalicTitle(group, line)) return false;
  if (!latest && Math.abs(line.x0 - group.x0) > 2 * line.size) return false;
  if (startsListItem(line) && !isMarkerInText(group, last, line, edges)) return false;
  if (startsReference(group, last, line) || startsNote(group, last, line) || startsClause(last, line)) return false;
  if (startsTerm(group, last, line, edges) || endsHanging(group, line)) return false;
  if (continuesTitle(group, line)) return true;
  return !startsParagraph(group, last, line);
}

/** Share of the width of a table of contents that an entry fills before it continues on the next line. */
const FULL_ENTRY = 0.6;

/** Checks that both lines are outside the table of contents, or that the entry without page number continues. */
function isWithinEntry(group: LineGroup, last: Line, line: Line, contents: Box): boolean {
  if (group.isEntry !== holdsCentre(contents, line)) return false;
  if (!group.isEntry) return true;
  if (isPageNumber(last.words.at(-1)?.text ?? '') || SECTION_NUMBER.test(line.words[0]?.text ?? '')) return false;
  return /^\p{Ll}/u.test(textOf(line.words)) || width(last) > FULL_ENTRY * width(contents);
}

/** Fonts of one nominal size have lines of different heights, above all fonts of different scripts. */
function isSameSize(group: LineGroup, line: Line): boolean {
  const [a, b] = group.em !== undefined && line.em !== undefined ? [group.em, line.em] : [group.size, line.size];
  return Math.abs(a - b) <= Math.max(SIZE_CHANGE * a, 0.3);
}

/** Detects a line of prose with bold or monospace terms: the previous line is full and does not end its sentence. */
function runsOn(group: LineGroup, last: Line, line: Line, edges: ReadonlyMap<number, number>): boolean {
  const [word] = line.words;
  const isSet = (each: Line): boolean => each.bold || each.monospace;
  // A heading or listing at the start of the group is no prose.
  if (word === undefined || isSet(group.lines[0] ?? last) || endsSentence(last)) return false;
  if (Math.abs(line.x0 - last.x0) > 0.5 * line.size && group.lines.length > 1) return false;
  const right = Math.max(group.x1, line.x1, edges.get(columnOf(last)) ?? 0);
  return right - last.x1 < width(word) + line.size;
}

/** Detects text left of a list item, or of several indented lines, after the end of their sentence. */
const isOutdented = (group: LineGroup, last: Line, line: Line): boolean =>
  endsSentence(last) &&
  !isRightToLeft(line.words) &&
  line.x0 < Math.min(...group.lines.map((other) => other.x0)) - 0.5 * line.size;

/** Baseline distance, in font sizes, above which two bold lines are separate titles. */
const TITLE_PITCH = 1.25;

/** Detects a separate title: a bold line set apart from a bold line that had room for its first word. */
function isNextTitle(group: LineGroup, line: Line, edges: ReadonlyMap<number, number>): boolean {
  const last = group.lines.at(-1);
  const [word] = line.words;
  if (last === undefined || word === undefined || !last.bold || !line.bold) return false;
  if (group.lines.length > 1 || !/^[\p{Lu}\p{N}§(]/u.test(word.text) || /[,;-]$/.test(last.words.at(-1)?.text ?? ''))
    return false;
  if (Math.abs(line.x0 - last.x0) > 0.5 * line.size || line.baseline - last.baseline <= TITLE_PITCH * line.size)
    return false;
  return last.x1 + width(word) + line.size < (edges.get(columnOf(line)) ?? 0);
}

/** Column width step, in points: lines that start within the same step share a column. */
const COLUMN_STEP = 36;

const columnOf = ({ x0 }: Box): number => Math.floor(x0 / COLUMN_STEP);

/** Returns the right edge of the longest line of each column. */
function rightEdges(lines: readonly Line[]): Map<number, number> {
  const edges = new Map<number, number>();
  for (const line of lines) edges.set(columnOf(line), Math.max(edges.get(columnOf(line)) ?? 0, line.x1));
  return edges;
}

/** Gap between words, in font sizes, that makes a line a row, such as an article and its price. */
const ROW_GAP = 2.5;

/** Checks recognised lines and labels with values; in other lines such a gap is the tab after a list marker. */
const isRow = (line: Line): boolean =>
  isLabelRow(line) ||
  line.words.some(
    (word, index) => word.sameLine === true && word.x0 - (line.words[index - 1]?.x1 ?? word.x0) > ROW_GAP * line.size,
  );

/** Detects a heading: a short italic line above upright text. */
const isItalicTitle = (group: LineGroup, line: Line): boolean =>
  group.lines.length === 1 && group.italic && !line.italic && width(group) < 0.8 * width(line);

/** Signs that mark items and occur in sentences: a dash, `o` in Spanish, `§` of a law. */
const SIGN = /^[-–—o§]$/u;

/** Detects a line within a sentence that begins like an item: with a number, `z. B.`, or a dash. */
function isMarkerInText(group: LineGroup, last: Line, line: Line, edges: ReadonlyMap<number, number>): boolean {
  const [first] = group.lines;
  const [word] = line.words;
  if (first === undefined || word === undefined || endsSentence(last)) return false;
  const isItem = startsListItem(first);
  const isLevel = Math.abs(line.x0 - last.x0) < 0.5 * line.size;
  const right = Math.max(group.x1, line.x1, edges.get(columnOf(first)) ?? 0);
  const isFull = right - last.x1 < width(word) + line.size;
  if (SIGN.test(word.text)) return !isItem && isFull && line.x0 < last.x0 + 0.5 * line.size;
  if (word.text.startsWith('(')) return isLevel && isFull && !isParenthesisedItem(first, line);
  if (!/^(?:\d|[a-z]\.)/.test(word.text) || !isLevel) return false;
  // Later lines of an item are right of its marker.
  return !isItem || (isFull && line.x0 > first.x0 + 0.5 * line.size);
}

/** A number in parentheses before a small letter, which repeats a number word: `one (1) year`. */
const REPEATED_NUMBER = /^\(\d{1,3}\)\s+\p{Ll}/u;

/** Checks for a marker that follows that of the item `first`, or begins a list. */
function isParenthesisedItem(first: Line, line: Line): boolean {
  const marker = listMarker(textOf(line.words))?.number;
  const before = textOf(first.words).startsWith('(') ? listMarker(textOf(first.words))?.number : undefined;
  if (marker === undefined) return false;
  return marker === (before ?? 0) + 1 && (before !== undefined || !REPEATED_NUMBER.test(textOf(line.words)));
}

/**
 * Detects the next term of a list of terms: a line that begins with a bold or monospace word and continues in the text
 * font, like the first line of the group, below a line that had room for the word.
 */
function startsTerm(group: LineGroup, last: Line, line: Line, edges: ReadonlyMap<number, number>): boolean {
  const [first] = group.lines;
  const [word] = line.words;
  if (first === undefined || word === undefined || !leadsWithTerm(first) || !leadsWithTerm(line)) return false;
  if (Math.abs(line.x0 - first.x0) > 0.3 * line.size) return false;
  const right = Math.max(group.x1, line.x1, edges.get(columnOf(first)) ?? 0);
  return right - last.x1 > width(word) + line.size;
}

function leadsWithTerm({ words }: Line): boolean {
  const [term] = words;
  const isSet = ({ style }: Word): boolean => style.bold || style.monospace;
  return term !== undefined && isSet(term) && words.some((word) => !isSet(word));
}

/** Detects the next line of a numbered title: it is below the first word after the number, in the same style. */
function continuesTitle({ lines: [first, ...later], bold }: LineGroup, line: Line): boolean {
  const [number, word] = first?.words ?? [];
  if (number === undefined || word === undefined || !bold || !line.bold || later.length > 1) return false;
  return SECTION.test(number.text) && Math.abs(line.x0 - word.x0) < 0.3 * line.size;
}

/** Detects the end of a hanging indent: later lines of the group are indented alike, and this line is not. */
function endsHanging({ lines: [first, ...later] }: LineGroup, line: Line): boolean {
  const [second] = later;
  if (first === undefined || second === undefined || isRightToLeft(line.words)) return false;
  const isFlush = Math.abs(line.x0 - first.x0) < 0.3 * line.size;
  const isHanging =
    second.x0 - first.x0 > FIRST_LINE_INDENT * line.size &&
    later.every((other) => Math.abs(other.x0 - second.x0) < 0.3 * line.size);
  // Centred lines may begin anywhere; a hanging line is as long as the line above it, or ends a sentence.
  return isFlush && isHanging && (later.length > 1 || endsSentence(second) || first.x1 - second.x1 > 2 * line.size);
}

const REFERENCE = /^\[(\d{1,3}|[A-Z][\p{L}+]{1,6}\d{2}[a-z]?)\]/u;

/** Detects the next entry of a list of references. */
const startsReference = (group: LineGroup, last: Line, line: Line): boolean =>
  REFERENCE.test(line.words[0]?.text ?? '') &&
  line.x0 < group.x0 + line.size &&
  (REFERENCE.test(group.lines[0]?.words[0]?.text ?? '') || endsSentence(last));

const CLAUSE = /^\d{1,2}(?:\.\d{1,2})+\.?\s+\p{Lu}/u;

/** Detects the next clause of an agreement, such as `11.3 Each Party`. */
const startsClause = (last: Line, line: Line): boolean => endsSentence(last) && CLAUSE.test(textOf(line.words));

const NOTE = /^(\d{1,3})(?=\p{Lu}|$)/u;
const NOTE_SIGN = /^[*∗†‡§¶]/u;

/** Detects the next footnote: its number is one higher, or it is the first after one with a symbol. */
function startsNote(group: LineGroup, last: Line, line: Line): boolean {
  const numberOf = (text = ''): number => (NOTE_SIGN.test(text) ? 0 : Number(NOTE.exec(text)?.[1] ?? NaN));
  const number = numberOf(line.words[0]?.text);
  return number === numberOf(group.lines[0]?.words[0]?.text) + 1 && endsSentence(last) && line.words.length > 1;
}

function allowedPitch(group: LineGroup): number {
  const { lines, size } = group;
  const [first, second] = [lines[0], lines[1]];
  if (first === undefined || second === undefined) return MAX_PITCH * size;
  return Math.min(MAX_PITCH * size, (second.baseline - first.baseline) * 1.2 + 1);
}

const endsSentence = (line: Line): boolean => /[.!?:;。！？：؟।]["'”’)\]]*$/u.test(line.words.at(-1)?.text ?? '');

/** Detects a paragraph start: an indented line, or a line whose first word would have fitted on the previous one. */
function startsParagraph(group: LineGroup, last: Line, line: Line): boolean {
  const size = line.size;
  const hanging = group.lines.length === 1 && line.x0 > last.x0 + 0.5 * size && !endsSentence(last);
  // The lines of a hanging indent are not indented further than the previous line.
  const indented =
    line.x0 - Math.min(...group.lines.slice(-3).map((other) => other.x0)) > FIRST_LINE_INDENT * size &&
    line.x0 > last.x0 + 0.3 * size;
  if (indented && !hanging && endsSentence(last)) return true;
  if (indented && group.lines.length >= 2 && Math.abs(last.x0 - group.x0) < 0.3 * size && line.x0 - last.x0 < 5 * size)
    return endsSentence(last);
  const room = isRightToLeft(line.words)
    ? last.x0 - Math.min(group.x0, line.x0)
    : Math.max(group.x1, line.x1) - last.x1;
  const [next] = line.words;
  return (
    next !== undefined &&
    endsSentence(last) &&
    room > width(next) + 2.5 * size &&
    /^[\p{Lu}\p{Lo}\p{N}"“(]/u.test(next.text)
  );
}
