/**
 * Computes a margin that has no row of its own: operating, gross or net income divided by revenue, both of one document
 * and one period. Labels must be the usual names of these items.
 */
import type { Question } from './question.ts';
import { shareOf, type Computation, type TableRow } from './table-arithmetic.ts';
import { cellsOf } from './table-cells.ts';
import { namedColumns } from './table-names.ts';

type Margin = 'operating' | 'gross' | 'net';

/** Phrases of a question for each margin, in English, German, French and Spanish. */
const ASKED: Readonly<Record<Margin, RegExp>> = {
  operating:
    /\boperating (?:profit |income )?margins?\b|\b(?:operative[nrsm]?|ebit)[ -](?:umsatz)?(?:marge|rendite)\b|\bmarge (?:opérationnelle|d['’]exploitation|operativa)\b/iu,
  gross: /\bgross (?:profit )?margins?\b|\bbrutto(?:gewinn)?marge\b|\bmarge brute\b|\bmargen bruto\b/iu,
  net: /\bnet (?:profit |income )?margins?\b|\bnetto(?:gewinn)?marge\b|\bmarge nette\b|\bmargen neto\b/iu,
};
/** Names of the items in statements, without case. */
const LABELS: Readonly<Record<Margin | 'revenue', RegExp>> = {
  operating:
    /^(?:total )?(?:operating (?:income|profit|earnings)|(?:income|earnings|profit) from operations|betriebsergebnis|operatives ergebnis|ebit|résultat (?:opérationnel|d['’]exploitation)|resultado (?:operativo|de explotación))$/iu,
  gross: /^(?:gross (?:profit|income)|bruttoergebnis|rohertrag|(?:marge|profit) brute?|resultado bruto)$/iu,
  net: /^(?:net (?:income|earnings|profit)|jahresüberschuss|konzernergebnis|résultat net|bénéfice net|resultado neto)$/iu,
  revenue:
    /^(?:total )?(?:net )?(?:revenues?|sales|turnover)$|^umsatz(?:erlöse)?$|^(?:chiffre d['’]affaires|produits des ventes)$|^(?:ventas netas|ingresos)$/iu,
};
const MAX_QUESTION = 500;

/** Returns the margin that a question seeks, or null. */
export function marginIn(question: string): Margin | null {
  const read = question.slice(0, MAX_QUESTION);
  const found = (Object.keys(ASKED) as Margin[]).filter((margin) => ASKED[margin].test(read));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Returns the margin over rows of one document; null if a row is missing or two rows of a name differ. */
export function marginOf<Row extends TableRow>(
  margin: Margin,
  question: Question,
  rows: readonly Row[],
  language: string | null,
  documentOf: (row: Row) => string,
): Computation<Row> | null {
  const documents = new Map<string, Row[]>();
  for (const row of rows.filter(({ header }) => header !== null)) {
    documents.set(documentOf(row), [...(documents.get(documentOf(row)) ?? []), row]);
  }
  for (const own of documents.values()) {
    const labelled = (pattern: RegExp): { row: Row; column: number }[] =>
      own.flatMap((row) => {
        const label = (cellsOf(row)[0]?.text ?? '').split(/[(,:]/u)[0]?.trim() ?? '';
        const columns = namedColumns(row.header ?? '', question, language);
        const [column] = columns;
        return pattern.test(label) && columns.length === 1 && column !== undefined ? [{ row, column }] : [];
      });
    const made = shareOf(labelled(LABELS[margin]), labelled(LABELS.revenue), question, language);
    if (made !== null) return made;
  }
  return null;
}
