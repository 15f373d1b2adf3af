/**
 * Finds the rows and columns of tables that a question names. A label is left out if another one shares more words with
 * the question: "total current assets" names "Total current assets", and neither "Total assets" nor "Current assets
 * held for sale".
 */
import { analyse } from '@quire/text/language/analyse';
import { plainPeriods } from './periods.ts';
import type { Question } from './question.ts';
import type { Quotable } from './quotables.ts';
import { cellsOf, columnsOf } from './table-cells.ts';

export interface NamedRow<Row> {
  row: Row;
  /** Terms of the question in the label. */
  terms: ReadonlySet<string>;
  /** Terms of the question in the label, and in the name of the column of labels ("Revenue by segment"). */
  around: ReadonlySet<string>;
  /** Share (0..1) of the label's terms that the question has. */
  share: number;
  /** The same of the label before its first comma or bracket. */
  startShare: number;
  /** Number of words by which the terms are apart in the question; 0 if they are adjacent. */
  gap: number;
}

/** Minimum share of a label's terms that the question must have, and of those before its first comma or bracket. */
const MIN_SHARE = 0.5;
const MIN_START_SHARE = 0.6;

/** Returns the rows that the question names, each label once, in the order in which the question names them. */
export function namedRows<Row extends Quotable>(
  rows: readonly Row[],
  question: Question,
  language: string | null,
): NamedRow<Row>[] {
  const asked = analyse(question.text, language);
  const labelled = rows.flatMap((row) => {
    const label = cellsOf(row)[0]?.text ?? '';
    const start = shareIn(label.split(/[,(:]/u)[0] ?? '', question, language);
    const whole = shareIn(label, question, language);
    const isNamed = whole.share >= MIN_SHARE && Math.max(whole.share, start.share) >= MIN_START_SHARE;
    const isContent = [...whole.terms].some((term) => question.terms.includes(term));
    const above = analyse(columnsOf(row.header ?? '')[0] ?? '', language).filter((term) => question.all.includes(term));
    const around = new Set([...whole.terms, ...above]);
    const { terms, share } = whole;
    return isNamed && isContent
      ? [{ row, terms, around, share, startShare: start.share, gap: gapOf(terms, asked) }]
      : [];
  });
  const named = labelled.filter(
    (each) =>
      !labelled.some((other) => other !== each && (isExceeded(each, other) || isOfOtherTable(each, other, asked))),
  );
  const distinct = named.filter((each, at) => named.findIndex((other) => isSameSet(other.terms, each.terms)) === at);
  return distinct.toSorted((a, b) => placeOf(a, distinct, question) - placeOf(b, distinct, question));
}

/** Words of a label that say nothing about its subject, so that a question may leave them out. */
const BESIDE: ReadonlySet<string> = new Set(
  'total totals net consolidated summe gesamt insgesamt netto totaux ensemble nette neto neta totale totali'.split(' '),
);

function shareIn(label: string, { all }: Question, language: string | null): { terms: Set<string>; share: number } {
  const words = (label.match(/[\p{L}\p{M}\p{Nd}&’'-]+/gu) ?? []).filter(
    (word) => !BESIDE.has(word.toLowerCase()) || analyse(word, language).some((term) => all.includes(term)),
  );
  const own = new Set(analyse(words.join(' '), language));
  const terms = new Set([...own].filter((term) => all.includes(term)));
  return { terms, share: own.size === 0 ? 0 : terms.size / own.size };
}

/** Returns the length of the shortest part of the question that holds all terms, beyond their number. */
function gapOf(terms: ReadonlySet<string>, asked: readonly string[]): number {
  const lengths = asked.flatMap((term, start) => {
    if (!terms.has(term)) return [];
    const open = new Set(terms);
    const end = asked.findIndex((each, at) => at >= start && open.delete(each) && open.size === 0);
    return end === -1 ? [] : [end - start + 1];
  });
  return lengths.length === 0 ? 0 : Math.max(0, Math.min(...lengths) - terms.size);
}

/**
 * Returns whether the other label has all terms and more, or the same with fewer others beside them. Terms that the
 * question has in different places do not count for more: "total assets" is no part of "current debt to total assets".
 */
function isExceeded<Row>(each: NamedRow<Row>, other: NamedRow<Row>): boolean {
  if (isPart(each.terms, other.terms)) {
    if (other.terms.size > each.terms.size) return other.gap <= each.gap;
    return other.share > each.share || (other.share === each.share && other.startShare > each.startShare);
  }
  return isPart(other.terms, each.terms) && other.gap < each.gap;
}

/**
 * Returns whether the terms of the label are meant for another row, whose table is about them: "service revenue" names
 * "Service" below "Revenue by segment", and not "Revenue". Terms that the question repeats may be meant for both.
 */
function isOfOtherTable<Row extends Quotable>(
  { row, terms, around }: NamedRow<Row>,
  other: NamedRow<Row>,
  asked: readonly string[],
): boolean {
  const isOnce = [...terms].every((term) => asked.indexOf(term) === asked.lastIndexOf(term));
  const isOther = row.header !== other.row.header && isPart(terms, other.around) && !isPart(terms, other.terms);
  return isOnce && isOther && other.around.size > around.size;
}

const isPart = (terms: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  [...terms].every((term) => whole.has(term));
const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && isPart(a, b);

/** Returns the place in the question of the first term that only this label has. */
function placeOf<Row>(each: NamedRow<Row>, rows: readonly NamedRow<Row>[], { all }: Question): number {
  const others = rows.filter((other) => other !== each);
  const own = [...each.terms].filter((term) => !others.some(({ terms }) => terms.has(term)));
  return Math.min(...(own.length > 0 ? own : [...each.terms]).map((term) => all.indexOf(term)));
}

/**
 * Returns the positions of the columns that the question names, by the terms of the question in their names; columns
 * with the same name are one, and the first of them counts. Empty if two columns of another name are named as well.
 */
export function namedColumns(header: string, question: Question, language: string | null): number[] {
  const columns = columnsOf(header);
  const held = columns.map(
    (name) => new Set(analyse(plainPeriods(name, language), language).filter((term) => question.all.includes(term))),
  );
  const named = columns.flatMap((name, at) => {
    const own = held[at] ?? new Set<string>();
    const isFirst = columns.indexOf(name) === at;
    const isMost = !held.some((other, place) => place > 0 && other.size > own.size && isPart(own, other));
    return at > 0 && isFirst && own.size > 0 && isMost ? [{ at, own }] : [];
  });
  const isOwn = named.every(({ own }, at) => named.every((other, place) => place === at || !isSameSet(own, other.own)));
  return isOwn ? named.map(({ at }) => at) : [];
}
