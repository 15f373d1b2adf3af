/**
 * Extracts values without a language model: reads the block tree as labels and values, assigns each field of the schema
 * the value that fits best by label, form and position, and builds data that validates. Runs in the sandbox.
 */
import type { DocumentTree } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { JsonSchema } from '@quire/models/chat-model';
import type { Extraction, LabelSimilarity } from '../extraction.ts';
import { shapeOf, type Shape } from '../schema/shape.ts';
import { compileSchema, type Validator } from '../schema/validator.ts';
import { assign } from './assignment/assign.ts';
import type { Candidate } from './candidates/candidate.ts';
import type { Conventions } from './values/convert.ts';
import { monthComesFirst } from './values/dates.ts';
import { collectFields, type Field } from './fields/fields.ts';
import { fill, isMissing, type Filled, type Findings } from './assignment/fill.ts';
import { LabelledCandidates } from './candidates/labelled-candidates.ts';
import { Labels } from './labels/labels.ts';
import { listCandidates } from './candidates/list-candidates.ts';
import { decimalSign } from './values/numbers.ts';
import { Parties } from './parties/parties.ts';
import { PhraseBook } from './labels/phrase-book.ts';
import { readSection } from './rows/section-records.ts';
import { readList, type FoundRows } from './rows/nested-rows.ts';
import { segmentDocument, type SegmentedDocument } from './document/segments.ts';
import { LabelScorer } from './labels/label-scorer.ts';
import { findLabelledTexts } from './labels/labelled-texts.ts';
import { ConfirmedAmounts } from './values/confirmed-amounts.ts';
import { unlabelledCandidates } from './candidates/unlabelled-candidates.ts';

const SUBSTITUTE_CONFIDENCE = 0.35;
/** Difference of scores below which two values fit equally well, and the maximum confidence of one of them. */
const RIVAL_MARGIN = 0.03;
const AMBIGUOUS = 0.85;
/** Concepts that may replace a required value that is not labelled: without tax, the total is the net amount too. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  subtotal: ['total'],
  total: ['balance', 'subtotal', 'paid'],
  documentDate: ['orderDate', 'deliveryDate', 'startDate', 'effectiveDate'],
  effectiveDate: ['documentDate', 'startDate'],
  startDate: ['effectiveDate', 'documentDate'],
};

/** Maximum number of rejected values that are removed before extraction gives up. */
const MAX_REPAIRS = 40;

/**
 * Extracts the values. Throws `ContentError` with `no_value` where the schema requires a value that the document lacks.
 */
export function extractTree(
  tree: DocumentTree,
  schema: JsonSchema,
  similarities: readonly LabelSimilarity[] = [],
): Extraction {
  const validate = compileSchema(schema);
  const shape = shapeOf(schema);
  const document = segmentDocument(tree);
  return removeInvalidValues(shape, findValues(shape, document, similarities), validate);
}

function findValues(shape: Shape, document: SegmentedDocument, similarities: readonly LabelSimilarity[]): Findings {
  const phrases = new PhraseBook();
  const { fields, tables } = collectFields(shape, phrases);
  const conventions = conventionsOf(document);
  const labels = new Labels(document);
  const labelledTexts = findLabelledTexts(document.segments, labels, phrases);
  const scorer = new LabelScorer(phrases, similarities);
  const confirmedAmounts = new ConfirmedAmounts(document.segments, labels, phrases, conventions);
  const { segments } = document;
  const labelled = new LabelledCandidates({ segments, labels, labelledTexts, scorer, conventions, confirmedAmounts });
  const parties = new Parties(document, labels, phrases, labelledTexts);
  const single = fields.filter((field) => !field.list);
  const candidates = single.flatMap((field): Candidate[] => [
    ...labelled.of(field),
    ...unlabelledCandidates(field, document, parties, confirmedAmounts, conventions),
  ]);
  const values = new Map<Shape, Candidate>();
  const chosen = assign(candidates);
  for (const [field, candidate] of chosen) values.set(field.shape, limitedByRivals(candidate, candidates));
  for (const field of single.filter((one) => one.mandatory && !chosen.has(one))) {
    const substitute = substituteFor(field, labelled);
    if (substitute !== undefined) values.set(field.shape, substitute);
  }
  const lists = new Map<Shape, readonly Candidate[]>();
  for (const field of fields.filter((one) => one.list))
    lists.set(field.shape, listCandidates(field, { document, labels, labelledTexts, scorer, conventions }));
  return { values, lists, rows: rowsOf(tables, [...fields, ...tables], document, conventions, labels) };
}

/** Limits the confidence of a value that another value of its field fits equally well. */
function limitedByRivals(chosen: Candidate, candidates: readonly Candidate[]): Candidate {
  const { field, value, score, limit = 1 } = chosen;
  const hasRival = candidates.some(
    (other) => other.field === field && other.value !== value && other.score >= score - RIVAL_MARGIN,
  );
  return hasRival ? { ...chosen, limit: Math.min(limit, AMBIGUOUS) } : chosen;
}

/** Returns the candidate nearest in meaning to a required value, with a reduced confidence. */
function substituteFor(field: Field, labelled: LabelledCandidates): Candidate | undefined {
  const targets = new Map<string, number>();
  for (const [concept, affinity] of field.targets)
    for (const related of RELATED[concept] ?? []) targets.set(related, affinity);
  const possible = [...labelled.of(field), ...(targets.size === 0 ? [] : labelled.of({ ...field, targets }))];
  const [best] = possible.toSorted((a, b) => b.score - a.score);
  return best === undefined ? undefined : { ...best, field, score: best.score * SUBSTITUTE_CONFIDENCE };
}

function rowsOf(
  tables: readonly Field[],
  siblings: readonly Field[],
  document: SegmentedDocument,
  conventions: Conventions,
  labels: Labels,
): Findings['rows'] {
  const rows = new Map<Shape, FoundRows>();
  for (const table of tables) {
    const found =
      readList(table.shape, { document, conventions, labels }) ?? readSection(table, siblings, document, conventions);
    if (found !== undefined) rows.set(table.shape, found);
  }
  return rows;
}

function conventionsOf(document: SegmentedDocument): Conventions {
  const spans = document.segments.flatMap((segment) => segment.spans);
  const dates = spans.flatMap((span) => span.date ?? []);
  const numbers = spans.flatMap((span) => span.number ?? []);
  const dollars = numbers.filter((number) => number.currency === 'USD').length;
  const others = numbers.filter((number) => number.currency !== null && number.currency !== 'USD').length;
  const zip = document.segments.some((segment) => /\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b/.test(segment.text));
  const american = document.language === 'en' && (dollars > others || zip);
  return { monthFirst: monthComesFirst(dates, american), decimal: decimalSign(numbers) };
}

/** Removes values that the validator rejects until the rest validates. */
function removeInvalidValues(shape: Shape, findings: Findings, validate: Validator): Extraction {
  const withheld = new Set<string>();
  let filled = need(fill(shape, findings, withheld));
  for (let round = 0; round < MAX_REPAIRS; round += 1) {
    const [problem] = validate(filled.value);
    if (problem === undefined) return { data: filled.value, evidence: Object.fromEntries(filled.evidence) };
    const refused = invalidPointer(problem.pointer, filled, withheld);
    if (refused === undefined) break;
    withheld.add(refused);
    filled = need(fill(shape, findings, withheld));
  }
  const empty = need(fill(shape, { values: new Map(), lists: new Map(), rows: new Map() }, new Set()));
  const [problem] = validate(empty.value);
  if (problem === undefined) return { data: empty.value, evidence: {} };
  throw new ContentError('no_value', `The document contains no value that matches the schema: ${problem.message}`);
}

function need(filled: ReturnType<typeof fill>): Filled {
  if (!isMissing(filled)) return filled;
  const place = filled.missing === '' ? 'the root' : filled.missing;
  throw new ContentError('no_value', `The schema requires a value at ${place}, which the document does not contain`);
}

/** Returns the pointer of the found value at the problem's position, or the least certain one inside it. */
function invalidPointer(pointer: string, filled: Filled, withheld: ReadonlySet<string>): string | undefined {
  const inside = [...filled.evidence]
    .filter(([at]) => (at === pointer || at.startsWith(`${pointer}/`)) && !withheld.has(at))
    .toSorted((a, b) => a[1].confidence - b[1].confidence);
  return inside[0]?.[0];
}
