/**
 * Finds tables of contents and lists of figures: lines that end with page numbers which ascend down the page. Leaders
 * are sufficient evidence; without leaders, the page has a title such as `Contents`, or continues the page before.
 */
import { boundsOf, holdsCentre, overlapX, overlapY, width, type Box } from '../geometry.ts';
import type { Rule } from '../page/page-content.ts';
import { isRightToLeft, textOf, type Line } from './line.ts';
import { endsEntry, endsLeader, isPageNumber, shortenLeader } from './leaders.ts';

/** Maximum number of words of a title. */
const TITLE_WORDS = 4;
const TITLE =
  /^(?:(?:table of |list of )?(?:contents|figures|tables|illustrations|examples|listings)|inhalt(?:sverzeichnis|sübersicht)?|(?:abbildungs|tabellen)verzeichnis|sommaire|table des (?:matières|figures|illustrations)|liste des (?:figures|tableaux)|índice(?: general| de (?:contenidos?|figuras|tablas|tabelas))?|(?:tabla de )?contenidos?|conteúdo|sumário|indice(?: generale| delle figure)?|sommario|inhoud(?:sopgave)?|spis (?:treści|rysunków|tabel)|obsah|tartalom(?:jegyzék)?|содержание|оглавление|зміст|съдържание|περιεχόμενα|içindekiler|sisällys(?:luettelo)?|innehåll(?:sförteckning)?|indhold(?:sfortegnelse)?|innhold(?:sfortegnelse)?|cuprins|sadržaj|kazalo|mục lục|daftar isi|目\s?[录錄次]|목\s?차|차\s?례|المحتويات|الفهرس|תוכן\s?(?:ה?עניינים)?)$/iu;
/** Maximum number of lines of a page that is searched, because every page number is compared with every line. */
const MAX_LINES = 3000;
/** Maximum distance of the first entry from the title, in sizes of the title. */
const MAX_TITLE_GAP = 8;
/** Minimum number of entries: with leaders, and without. */
const MIN_LEADERS = 3;
const MIN_ENTRIES = 4;
/** Minimum number of entries of the last page of contents, which has no other text. */
const MIN_LAST = 2;
/** Minimum share of successive page numbers that do not descend. */
const ASCENDING = 0.85;
/** Maximum difference, in points, of page numbers with a common edge. */
const SAME_EDGE = 4;
/** Minimum share of the lines beside and between the entries that are entries. */
const DENSITY = 0.5;
/** Maximum baseline difference of an entry and its page number, as a share of the font size. */
const SAME_LINE = 0.3;

export interface ContentsPage {
  lines: readonly Line[];
  rules: readonly Rule[];
}

interface Entry extends Box {
  /** Position of the page number in the document; NaN if it is not a plain number. */
  number: number;
  /** The box of the page number, and whether it is a line of its own. */
  place: Box;
  isApart: boolean;
  hasLeader: boolean;
}

/** Returns the area of the entries of each page; undefined for a page without contents. */
export function findContents(pages: readonly ContentsPage[]): (Box | undefined)[] {
  let before: Entry[] = [];
  return pages.map((page) => {
    const lines = page.lines.filter(({ words }) => words[0]?.angle === 0).map(shortenLeader);
    const entries = entriesOf(lines, before);
    const area = entries.length === 0 ? undefined : boundsOf(entries);
    before = area === undefined || isGrid(area, page.rules) ? [] : entries;
    return before.length === 0 ? undefined : area;
  });
}

function entriesOf(lines: readonly Line[], before: readonly Entry[]): Entry[] {
  if (lines.length > MAX_LINES) return [];
  const title = lines.find(({ words }) => words.length <= TITLE_WORDS && TITLE.test(textOf(words)));
  const hasLeaders = lines.some((line) => endsLeader(line) || endsEntry(line));
  if (title === undefined && before.length === 0 && !hasLeaders) return [];
  const all = candidates(lines);
  if (all.length === 0) return [];
  const aligned = alignedGroups(all).flatMap((group) => {
    const leaders = group.filter(({ hasLeader }) => hasLeader).length;
    return leaders >= MIN_LEADERS && ascends(group) ? group : [];
  });
  if (aligned.length > 0) return [...new Set([...aligned, ...furtherColumns(all, aligned)])];
  if (title === undefined && before.length === 0) return [];
  const below = title === undefined ? all : all.filter(({ y0 }) => y0 >= title.y0);
  const starts = title !== undefined ? -Infinity : (before.findLast(({ number }) => number >= 0)?.number ?? 0);
  for (const group of [...alignedGroups(below), below]) {
    const isLater = group.every(({ number }) => !(number < starts));
    const [first] = group;
    const isLast = title === undefined && group.length >= MIN_LAST && isRest(group, lines);
    const isLong =
      group.length >= MIN_ENTRIES || isLast || (title !== undefined && group.every(({ isApart }) => isApart));
    if (first === undefined || (title !== undefined && first.y0 - title.y1 > MAX_TITLE_GAP * title.size)) continue;
    if (isLong && isLater && ascends(group) && isDense(group, lines)) return group;
  }
  return [];
}

/** Returns the groups without leaders beside entries with leaders, such as those of chapters in another column. */
function furtherColumns(all: readonly Entry[], aligned: readonly Entry[]): Entry[] {
  const area = boundsOf(aligned);
  const beside = all.filter((entry) => entry.isApart && overlapY(entry, area) > 0 && overlapX(entry, area) <= 0);
  return alignedGroups(beside)
    .filter((group) => group.length > 1 && ascends(group))
    .flat();
}

/** Returns the lines that end with a page number, from top to bottom. */
function candidates(lines: readonly Line[]): Entry[] {
  const found: Entry[] = [];
  for (const line of lines) {
    const last = line.words.at(-1);
    if (last === undefined || !isPageNumber(last.text)) continue;
    const entry = line.words.length > 1 ? line : nearestBeside(line, lines);
    if (entry === undefined || !/\p{L}/u.test(textOf(entry.words))) continue;
    const box = boundsOf([entry, line]);
    found.push({
      ...box,
      number: pageIndex(last.text),
      place: last,
      isApart: entry !== line,
      hasLeader: endsEntry(line),
    });
  }
  return found.toSorted((a, b) => a.y1 - b.y1);
}

/** Returns the text next to a page number that is a line of its own. */
function nearestBeside(number: Line, lines: readonly Line[]): Line | undefined {
  const distance = (text: Line): number => Math.max(number.x0 - text.x1, text.x0 - number.x1);
  return lines
    .filter((text) => isBeside(text, number))
    .reduce<Line | undefined>(
      (best, text) => (best === undefined || distance(text) < distance(best) ? text : best),
      undefined,
    );
}

/** Checks for text beside a page number that is a line of its own. */
const isBeside = (text: Line, number: Line): boolean =>
  text !== number &&
  Math.abs(text.baseline - number.baseline) < SAME_LINE * number.size &&
  (isRightToLeft(text.words) ? number.x1 < text.x0 : number.x0 > text.x1);

/** Returns the position of a page: front matter in roman numbers precedes page 1, page `3-12` is in chapter 3. */
function pageIndex(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [, chapter, page] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (chapter !== undefined) return 1000 * Number(chapter) + Number(page);
  return /^[ivxlc]+$/.test(text) ? -1 : NaN;
}

/** Groups entries whose page numbers share their right or left edge, larger groups first. */
function alignedGroups(entries: readonly Entry[]): Entry[][] {
  const edges = [({ x1 }: Box) => x1, ({ x0 }: Box) => x0];
  const groups = edges.flatMap((edgeOf): Entry[][] => {
    const found: Entry[][] = [];
    for (const entry of entries) {
      const group = found.find(
        ([first]) => first !== undefined && Math.abs(edgeOf(first.place) - edgeOf(entry.place)) < SAME_EDGE,
      );
      if (group === undefined) found.push([entry]);
      else group.push(entry);
    }
    return found;
  });
  return groups.toSorted((a, b) => b.length - a.length);
}

/** Checks that the page numbers ascend; without leaders they must do more than count the lines. */
function ascends(entries: readonly Entry[]): boolean {
  const numbers = entries.map(({ number }) => number).filter((number) => !Number.isNaN(number));
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  const counts = steps.every((step) => step === 1) && !entries.some((entry) => entry.hasLeader || entry.isApart);
  return steps.filter((step) => step >= 0).length >= ASCENDING * steps.length && !counts;
}

/** Checks that all lines of the page belong to an entry. */
const isRest = (entries: readonly Entry[], lines: readonly Line[]): boolean =>
  lines.every((line) => entries.some((entry) => overlapX(entry, line) > 0 && overlapY(entry, line) > 0));

/** Checks that most lines in the area of the entries belong to an entry. */
function isDense(entries: readonly Entry[], lines: readonly Line[]): boolean {
  const area = boundsOf(entries);
  const inside = lines.filter((line) => holdsCentre(area, line) && line.words.length > 1);
  const own = inside.filter((line) => entries.some((entry) => holdsCentre(entry, line)));
  return own.length >= DENSITY * inside.length;
}

/** Detects a table: a vertical rule between the columns of the area. */
const isGrid = (area: Box, rules: readonly Rule[]): boolean =>
  rules.some(
    ({ horizontal, at, from, to }) =>
      !horizontal &&
      at > area.x0 + 0.05 * width(area) &&
      at < area.x1 - 0.01 * width(area) &&
      from < area.y1 &&
      to > area.y0 &&
      to - from > area.y1 - area.y0,
  );
