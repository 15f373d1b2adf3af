/**
 * Extracts lists of objects that contain lists of objects, such as orders with their lines. The inner rows come from
 * tables. Text before a table, or in a row with a single text, states the outer object.
 */
import type { Shape } from '../../schema/shape.ts';
import { assign } from '../assignment/assign.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { convert, type Conventions } from '../values/convert.ts';
import { isFigure } from '../fields/content.ts';
import { collectFields, type Field } from '../fields/fields.ts';
import type { Findings } from '../assignment/fill.ts';
import { LabelledCandidates } from '../candidates/labelled-candidates.ts';
import type { Labels } from '../labels/labels.ts';
import { PhraseBook } from '../labels/phrase-book.ts';
import { readRows } from './table-rows.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import { LabelScorer } from '../labels/label-scorer.ts';
import { findLabelledTexts } from '../labels/labelled-texts.ts';
import { ConfirmedAmounts } from '../values/confirmed-amounts.ts';
import { allows, isObjectShape, variantsOf } from '../fields/variants.ts';

/** The objects of a list, with the variant of its items that they match. */
export interface FoundRows {
  item: Shape;
  rows: readonly Findings[];
}

interface Deps {
  document: SegmentedDocument;
  conventions: Conventions;
  labels: Labels;
}

/** Maximum number of segments before a table that may describe it. */
const MAX_CONTEXT_SEGMENTS = 15;
const MAX_LEVELS = 3;
const TITLE_SCORE = 0.5;
const MAX_TITLE_LENGTH = 80;
/** Names of fields that a title without a label may fill. */
const TITLE_FIELD =
  /name|title|category|group|section|department|heading|label|type|region|account|class|division|topic|project|team|event|period/i;

/** Reads the list with the variant of its items that gives the most values; undefined when there are none. */
export function readList(list: Shape, deps: Deps, level = 1): FoundRows | undefined {
  let best: FoundRows | undefined;
  for (const item of list.items === null ? [] : variantsOf(list.items).filter(isObjectShape)) {
    const nested = level < MAX_LEVELS ? readNested(item, deps, level) : [];
    const rows = nested.length > 0 ? nested : readRows(item, deps.document, deps.conventions, level > 1);
    if (rows.length > 0 && (best === undefined || sizeOf(rows) > sizeOf(best.rows))) best = { item, rows };
  }
  return best;
}

const sizeOf = (all: readonly Findings[]): number =>
  all.reduce(
    (sum, { values, lists, rows }) =>
      sum + values.size + lists.size + [...rows.values()].reduce((inner, found) => inner + sizeOf(found.rows), 0),
    0,
  );

/** Returns an empty list when no field is a list of objects, or when no table has its rows. */
function readNested(item: Shape, deps: Deps, level: number): Findings[] {
  const phrases = new PhraseBook();
  const { fields, tables } = collectFields(item, phrases, 'row');
  const inner = tables.flatMap(({ shape }) => {
    const found = readList(shape, deps, level + 1);
    return found === undefined ? [] : [{ shape, found }];
  });
  const [main] = inner.toSorted((a, b) => sizeOf(b.found.rows) - sizeOf(a.found.rows));
  if (main === undefined) return [];
  const context = new GroupContext(fields, phrases, deps);
  const groups: { values: ReadonlyMap<Field, Candidate>; rows: Findings[] }[] = [];
  let from = 0;
  for (const row of main.found.rows) {
    const { first, last } = extentOf(row);
    const values = context.between(Math.max(from, first - MAX_CONTEXT_SEGMENTS), first);
    const current = groups.at(-1);
    if (current === undefined || startsNewObject(values, current.values)) groups.push({ values, rows: [row] });
    else current.rows.push(row);
    from = last + 1;
  }
  return groups.map(({ values, rows }) => ({
    values: new Map([...values].map(([{ shape }, candidate]) => [shape, candidate])),
    lists: new Map(),
    rows: new Map([[main.shape, { item: main.found.item, rows }]]),
  }));
}

/**
 * Returns whether the values start a new outer object. A table continued after a page break has no values before it, or
 * the same ones.
 */
function startsNewObject(values: ReadonlyMap<Field, Candidate>, current: ReadonlyMap<Field, Candidate>): boolean {
  return [...values].some(([field, { value }]) => current.get(field)?.value !== value);
}

/** Returns the indexes of the first and last segment of the innermost rows. */
function extentOf({ values, lists, rows }: Findings): { first: number; last: number } {
  const deeper = [...rows.values()].flatMap((found) => found.rows.map(extentOf));
  const own = [...values.values(), ...[...lists.values()].flat()].map(({ segment }) => segment.index);
  const [firsts, lasts] =
    deeper.length > 0 ? [deeper.map(({ first }) => first), deeper.map(({ last }) => last)] : [own, own];
  return { first: Math.min(...firsts), last: Math.max(...lasts) };
}

/** Finds the values of an outer object between two rows. */
class GroupContext {
  readonly #fields: readonly Field[];
  /** Candidates by the index of their segment. */
  readonly #candidates = new Map<number, Candidate[]>();
  readonly #deps: Deps;

  constructor(fields: readonly Field[], phrases: PhraseBook, deps: Deps) {
    const { document, conventions, labels } = deps;
    const { segments } = document;
    const labelledTexts = findLabelledTexts(segments, labels, phrases);
    const confirmedAmounts = new ConfirmedAmounts(segments, labels, phrases, conventions);
    const scorer = new LabelScorer(phrases, []);
    const labelled = new LabelledCandidates({ segments, labels, labelledTexts, scorer, conventions, confirmedAmounts });
    this.#fields = fields.filter(({ list }) => !list);
    for (const candidate of this.#fields.flatMap((field) => labelled.of(field))) {
      const same = this.#candidates.get(candidate.segment.index);
      if (same === undefined) this.#candidates.set(candidate.segment.index, [candidate]);
      else same.push(candidate);
    }
    this.#deps = deps;
  }

  /** Returns the values in the segments from `from` to before `to`. */
  between(from: number, to: number): ReadonlyMap<Field, Candidate> {
    const pieces = this.#deps.document.segments.slice(from, to).filter((segment) => !isTableRow(segment));
    const values = assign(pieces.flatMap((segment) => this.#candidates.get(segment.index) ?? []));
    const title = this.#title(pieces, values);
    return title === undefined ? values : new Map([...values, [title.field, title]]);
  }

  /** Returns the last heading or single text before the rows. */
  #title(pieces: readonly Segment[], values: ReadonlyMap<Field, Candidate>): Candidate | undefined {
    const field = this.#fields.find((one) => TITLE_FIELD.test(one.name) && allows(one.shape, 'string'));
    if (field === undefined || values.has(field)) return undefined;
    const used = new Set([...values.values()].map(({ segment }) => segment));
    const segment = pieces.findLast((piece) => !used.has(piece) && isTitle(piece));
    const value = segment && convert(segment.text, null, field.shape, this.#deps.conventions);
    if (segment === undefined || value === undefined) return undefined;
    return { field, value, segment, start: 0, end: segment.text.length, score: TITLE_SCORE, shared: true };
  }
}

const textsBeside = ({ cell }: Segment): number =>
  cell === null ? 0 : (cell.grid.rows[cell.row] ?? []).filter((one) => one !== undefined).length;

/** Returns whether the segment is in a row with more than a label and its value. */
const isTableRow = (segment: Segment): boolean => textsBeside(segment) > 2;

function isTitle(segment: Segment): boolean {
  const { text, kind } = segment;
  if (text.length > MAX_TITLE_LENGTH || !/\p{L}/u.test(text) || text.includes(':') || isFigure(text)) return false;
  return kind === 'heading' || textsBeside(segment) === 1 || (kind === 'text' && !/[.!?]$/.test(text));
}
