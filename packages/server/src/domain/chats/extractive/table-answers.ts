/** Answers that are computed over the tables of the hits: margins and named operations. */
import type { Question } from './question.ts';
import type { Quote } from './select.ts';
import { computed, operationIn, type Computation } from './table-arithmetic.ts';
import { marginIn, marginOf } from './table-margin.ts';

/** Returns the computation that the question names, or null; `rows` are those about its names, in order of rank. */
export function computationIn(
  question: Question,
  rows: readonly Quote[],
  language: string | null,
  documentOf: (row: Quote) => string,
): Computation<Quote> | null {
  const margin = marginIn(question.text);
  if (margin !== null) return marginOf(margin, question, rows, language, documentOf);
  const operation = operationIn(question.text, language);
  return operation === null ? null : computed(operation, question, rows, language, documentOf);
}
