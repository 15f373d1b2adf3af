/** Answers which of several items that a question lists has the highest or lowest value. */
import type { Computation, Operand, TableRow } from '../table-arithmetic.ts';
import { cellsOf } from '../table-cells.ts';
import type { Item } from './items.ts';
import type { Period } from './periods-of-columns.ts';
import type { Report } from './report.ts';
import { computationOf, itemIn, seriesOf, subjectIn, yearsOfSubject, type Point, type Subject } from './series.ts';

interface Option {
  text: string;
  item: Item | null;
}

interface Options {
  options: readonly Option[];
  isHighest: boolean;
}

interface Wording {
  /** The list, as group `list`. */
  lists: readonly RegExp[];
  separator: RegExp;
  highest: RegExp;
  lowest: RegExp;
}

const WORDINGS: Readonly<Record<string, Wording>> = {
  en: {
    lists: [
      /^\s*(?:among|of|out of|between) (?<list>[^?]{5,200}?),? (?:which|what)\b/iu,
      /^\s*(?:which|what)\b[^?:]{5,200}: (?<list>[^?]{5,200})\?/iu,
      /^\s*(?:which|what)\b[^?]{5,200}?, (?<list>[^?,]{3,60}(?:, [^?,]{3,60}){0,3},? or [^?,]{3,60})\?/iu,
      /^\s*(?:was|were|is|are) (?<list>[^?]{3,80} or [^?]{3,80}?) (?:higher|larger|greater|lower|smaller)\b/iu,
    ],
    separator: /,? (?:and|or|&) |, /iu,
    highest: /\b(?:most|high(?:er|est)|larg(?:er|est)|great(?:er|est)|bigg(?:er|est))\b/iu,
    lowest: /\b(?:least|low(?:er|est)|small(?:er|est)|fewest)\b/iu,
  },
  de: {
    lists: [
      /^\s*(?:unter|von|zwischen) (?<list>[^?]{5,200}?),? (?:welche[rsnm]?|was)\b/iu,
      /^\s*(?:welche[rsnm]?|was)\b[^?:]{5,200}: (?<list>[^?]{5,200})\?/iu,
      /^\s*(?:welche[rsnm]?|was)\b[^?]{5,200}?, (?<list>[^?,]{3,60} oder [^?,]{3,60})\?/iu,
    ],
    separator: /,? (?:und|oder) |, /iu,
    highest: /\b(?:höher|höchste[nrsm]?|größer|größte[nrsm]?|meisten?)\b/iu,
    lowest: /\b(?:niedriger|niedrigste[nrsm]?|kleiner|kleinste[nrsm]?|wenigsten?|geringste[nrsm]?)\b/iu,
  },
};

/** Activities of a cash flow statement, of which questions leave out the words that they share. */
const ACTIVITIES: readonly (readonly [RegExp, Item])[] = [
  [/\b(?:operati(?:ons|ng)|laufende[rn]? geschäftstätigkeit|operative[rn]?)\b/iu, 'operatingCash'],
  [/\b(?:invest(?:ing|ment)|investitionstätigkeit)\b/iu, 'investingCash'],
  [/\b(?:financing|finanzierungstätigkeit)\b/iu, 'financingCash'],
];
const CASH = /\bcash\b|\bcashflow|\bzahlungsmittel/iu;
const MAX_OPTIONS = 6;

/** Returns the options of a question for one of several listed items; null for other questions. */
export function optionsIn(text: string, language: string | null): Options | null {
  const wording = WORDINGS[language ?? 'en'];
  const list = wording?.lists.map((pattern) => pattern.exec(text)?.groups?.['list']).find((each) => each !== undefined);
  if (wording === undefined || list === undefined) return null;
  const isHighest = wording.highest.test(text);
  if (isHighest === wording.lowest.test(text)) return null;
  const parts = list
    .split(wording.separator)
    .map((part) => part.replace(/^(?:the|its|die|der|das|und|and|or)\s/iu, '').trim())
    .filter((part) => part !== '' && !/^(?:19|20)\p{Nd}{2}$/u.test(part));
  const activities = CASH.test(text)
    ? parts.map((part) => ACTIVITIES.find(([pattern]) => pattern.test(part))?.[1] ?? null)
    : [];
  const isActivities = activities.length > 1 && activities.every((item) => item !== null);
  const options = parts.map((part, at): Option => ({
    text: part,
    item: isActivities ? (activities[at] ?? null) : itemIn(part),
  }));
  return options.length < 2 || options.length > MAX_OPTIONS ? null : { options, isHighest };
}

/** Returns the option with the highest or lowest value of the period, and all of them in order. */
export function chosen<Row extends TableRow>(
  text: string,
  periods: readonly Period[],
  reports: readonly Report<Row>[],
  language: string | null,
): Computation<Row> | null {
  const found = optionsIn(text, language);
  if (found === null || periods.length > 1) return null;
  const points = found.options.map((option) => pointOf(option, periods, reports, language));
  const whole = points.flatMap((point) => point ?? []);
  const labels = whole.map(({ pieces: [piece] }) => labelOf(piece));
  if (whole.length < points.length || new Set(labels).size < labels.length) return null;
  const ordered = whole.toSorted((a, b) => (b.value - a.value) * (found.isHighest ? 1 : -1));
  const [first, second] = ordered;
  if (first === undefined || first.value === second?.value) return null;
  const sign = found.isHighest ? ' > ' : ' < ';
  const pieces = ordered.flatMap((point, at) => [...(at === 0 ? [] : [sign]), ...point.pieces]);
  return computationOf(labelOf(first.pieces[0]), ' = ', pieces);
}

const labelOf = <Row extends TableRow>(piece: string | Operand<Row> | undefined): string =>
  typeof piece === 'object' ? (cellsOf(piece.row)[0]?.text ?? '') : '';

function pointOf<Row extends TableRow>(
  { text, item }: Option,
  periods: readonly Period[],
  reports: readonly Report<Row>[],
  language: string | null,
): Point<Row> | null {
  const subjects = [item === null ? null : { label: '', items: [item] }, subjectIn(text, reports, language)];
  for (const subject of subjects) {
    if (subject === null) continue;
    const wanted = periods.length > 0 ? periods : yearsOfSubject(subject satisfies Subject, reports).slice(0, 1);
    const [point] = seriesOf(subject, wanted, reports, language) ?? [];
    if (point !== undefined) return point;
  }
  return null;
}
