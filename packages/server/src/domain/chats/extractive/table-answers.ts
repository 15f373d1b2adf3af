/** Answers from the tables of the hits: a cell that the question names, a computation over cells, or a whole list. */
import type { SearchHit } from '../../search/types.ts';
import { namedCellRow } from './cell-lead.ts';
import { acquisitionSentences } from './figures/acquisitions.ts';
import { adjustedFigure } from './figures/adjusted.ts';
import { filingSentences } from './figures/filing.ts';
import { figureOf } from './figures/figures.ts';
import { isOtherItem } from './figures/quotable-figures.ts';
import { seeksAmount, seeksRatio } from './figures/sought.ts';
import { isOwnRow } from './figures/ratios.ts';
import { seeksWithoutCurrency, withoutCurrency } from './figures/without-currency.ts';
import { holdsTerm, type Question } from './question.ts';
import { analyse } from './reading.ts';
import type { Quote } from './sentence-scores.ts';
import { computed, operationIn, type Computation } from './table-arithmetic.ts';
import { listed } from './table-list.ts';
import { ranked, seeksRank, type Surroundings } from './table-ranking.ts';
import { titlesOf } from './titles.ts';

/** At most one of the three is given. */
export interface TableAnswer {
  /** The row of the cell that the question names. */
  row: Quote | null;
  computation: Computation<Quote> | null;
  /** The rows of the list that the question seeks, or the sentences about the event of a filing. */
  list: readonly Quote[];
}

/** `rows` are those of the quoted chunks, in order of rank. */
export function tableAnswer(
  question: Question,
  rows: readonly Quote[],
  hits: readonly SearchHit[],
  language: string | null,
): TableAnswer {
  const held = rowsAbout(rows, question, hits, language);
  const around: Surroundings = (chunk) => ({
    headings: hits[chunk]?.headings ?? [],
    documentId: hits[chunk]?.documentId ?? '',
  });
  const documentOf = ({ chunk }: Quote): string => around(chunk).documentId;
  const acquired = acquisitionSentences(question, hits, language);
  if (acquired.length > 0) return { row: null, computation: null, list: acquired };
  const headingsOf = ({ chunk }: Quote): readonly string[] => around(chunk).headings;
  // A change between two cells has the effects of currency.
  if (seeksWithoutCurrency(question)) {
    return { row: null, computation: withoutCurrency(question, held, language, headingsOf), list: [] };
  }
  const ranking = ranked(question, rowsAbout(rows, question, hits, language, PERIOD), language, around);
  const isRatio = seeksRatio(question.text);
  const adjusted = adjustedFigure(question, rows, hits, language);
  const figure = adjusted ?? (ranking === null ? figureOf(question, rows, hits, language) : null);
  const computes = ranking !== null || seeksRank(question, language) || operationIn(question.text, language) !== null;
  const named = computes ? null : namedCellRow(held, question, language, documentOf);
  const row = named !== null && isAnswer(named, isRatio, figure !== null, question, language) ? named : null;
  if (row !== null) return { row, computation: null, list: [] };
  const computation = ranking ?? figure ?? (isRatio ? null : computationIn(question, held, language, documentOf));
  const filing = filingSentences(question, hits, language);
  const list = computation === null && filing.length === 0 ? listed(question, held, language, around) : filing;
  return { row, computation, list };
}

/**
 * Returns whether the named row answers. A cell of one of its items is no ratio or judgement; a row of its own is. A
 * figure that is the cell of an item adds nothing to a row of that item.
 */
function isAnswer(
  row: Quote,
  isRatio: boolean,
  isComputed: boolean,
  question: Question,
  language: string | null,
): boolean {
  if (isRatio) return isOwnRow(row.text, question.text);
  if (seeksAmount(question.text, language)) return !isComputed || !isOtherItem(row.text, question.text, language);
  return !isComputed;
}

/** Returns the operation that the question names, or null. */
function computationIn(
  question: Question,
  rows: readonly Quote[],
  language: string | null,
  documentOf: (row: Quote) => string,
): Computation<Quote> | null {
  const operation = operationIn(question.text, language);
  return operation === null ? null : computed(operation, question, rows, language, documentOf);
}

/** German words for periods, which have a capital letter as names do. */
const PERIOD = /^(?:geschäftsjahr|jahr|quartal|halbjahr)/iu;

/**
 * Returns the rows below titles that, with the rows of their table, hold all names and numbers of the question except
 * for names that match `beside`.
 */
function rowsAbout(
  rows: readonly Quote[],
  question: Question,
  hits: readonly SearchHit[],
  language: string | null,
  beside?: RegExp,
): Quote[] {
  const held = new Map<number, Set<string>>();
  return rows.filter(({ chunk, header }) => {
    const hit = hits[chunk];
    if (hit === undefined || header === null) return false;
    const around =
      held.get(chunk) ?? new Set(analyse([...titlesOf(hit), ...hit.headings, hit.text].join('\n'), language));
    held.set(chunk, around);
    return question.names.every((name) => beside?.test(name) === true || holdsTerm(around, name, question));
  });
}
