/**
 * Finds the lines of an invoice by arithmetic: a quantity times a price is the amount at the end of the line. Needs no
 * header, so it reads tables whose header is in another table, joined columns, and lines in one cell.
 */
import type { Field } from '../fields/fields.ts';
import { fieldFor, means } from '../fields/meaning.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Grid, Segment } from '../document/segments.ts';
import { convert, type Conventions } from '../values/convert.ts';
import { currencyOf, numericValue } from '../values/numbers.ts';
import { overlaps, type ValueSpan } from '../values/value-spans.ts';
import type { ValueKind } from '../lexicon/concepts.ts';
import type { Row } from './table-reading.ts';

/** A number of a line, from left to right. */
interface Figure {
  segment: Segment;
  span: ValueSpan;
  column: number;
  value: number;
}

/** Positions of the figures of a line, counted from its end. */
interface Pattern {
  quantity: number;
  unitPrice: number;
  lineTotal: number;
}

interface Line {
  cells: readonly (Segment | undefined)[];
  figures: readonly Figure[];
  /** Shares that discounts leave of the amount; 1 without one. */
  shares: readonly number[];
  /** Values of the line by the columns of the header. */
  byHeader: readonly Candidate[];
}

export interface ArithmeticRow {
  /** Index of the row in its grid. */
  at: number;
  values: Map<Field, Candidate>;
  isConfirmed: boolean;
}

const CONCEPTS = ['quantity', 'unitPrice', 'lineTotal', 'description'] as const;
type Concept = (typeof CONCEPTS)[number];

/** Number of figures at the end of a line that are tried. */
const MAX_FIGURES = 6;
const MAX_LINES = 5_000;
const TOLERANCE = 0.011;
/**
 * Scores of quantities that agree by more than chance, and of other numbers: a discount below the line may change the
 * price and the amount.
 */
const CLEAR_SCORE = 0.95;
const NUMBER_SCORE = 0.88;
const TEXT_SCORE = 0.7;
/** Two words of letters or a long one; codes of articles hold digits. */
const WORDS = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}'’./-]{2,}(?![\p{L}\p{N}])/u;
const POSITION = /^\s*(?<number>\d{1,4})[.)]?\s+/u;

/** Returns the lines of the grid, or an empty list when products of its numbers do not show any. */
export function rowsByArithmetic(
  grid: Grid,
  fields: readonly Field[],
  isSummary: (texts: readonly string[]) => boolean,
  conventions: Conventions,
  byHeader: ReadonlyMap<number, Row>,
): ArithmeticRow[] {
  const named = namedFields(fields);
  if (named.size < 2 || !named.has('description') || grid.rows.length > MAX_LINES) return [];
  const lines = grid.rows.map((cells, at) =>
    lineOf(cells, conventions, [...(byHeader.get(at)?.values.values() ?? [])]),
  );
  const usable = lines.map((line) => line.figures.length >= 2 && !isSummary(textsOf(line)));
  const pattern = bestPattern(lines.filter((_, at) => usable[at] === true));
  if (pattern === null) return [];
  const isConfirmed = lines.map((line, at) => usable[at] === true && confirms(line, pattern));
  const columns = columnsOf(
    lines.filter((_, at) => isConfirmed[at] === true),
    pattern,
  );
  const found: ArithmeticRow[] = [];
  for (const [at, line] of lines.entries()) {
    const isAlike = usable[at] === true && columns.size >= MIN_COLUMNS && columns.has(columnKey(line, pattern));
    if (isConfirmed[at] !== true && !isAlike) continue;
    const values = valuesOf(line, lines[at + 1], pattern, named, conventions, found.length + 1);
    if (values.size >= 2) found.push({ at, values, isConfirmed: isConfirmed[at] === true });
  }
  return found;
}

/** Columns of the figures as a key; lines that have them in other columns than confirmed lines do are none. */
const MIN_COLUMNS = 1;

function columnKey({ figures }: Line, pattern: Pattern): string {
  const columns = [pattern.quantity, pattern.unitPrice, pattern.lineTotal].map(
    (place) => figures.at(-1 - place)?.column,
  );
  return new Set(columns).size === columns.length && !columns.includes(undefined) ? columns.join(' ') : '';
}

function columnsOf(lines: readonly Line[], pattern: Pattern): ReadonlySet<string> {
  return new Set(lines.map((line) => columnKey(line, pattern)).filter((key) => key !== ''));
}

function namedFields(fields: readonly Field[]): Map<Concept, Field> {
  return new Map(
    CONCEPTS.flatMap((concept): [Concept, Field][] => {
      const best = fieldFor(fields, concept);
      return best === undefined ? [] : [[concept, best]];
    }),
  );
}

/** Kinds of values whose digits are no numbers of a line, as those of a telephone number, where 7 times 8 may be 56. */
const CODES: ReadonlySet<ValueKind> = new Set<ValueKind>(['phone', 'date', 'iban', 'vat', 'email', 'url']);
const MIN_CODE_CERTAINTY = 0.7;

/** A telephone number begins with a sign or zero: `1 18.5000 20.0` has its form. */
const isCode = ({ kind, certainty, text }: ValueSpan): boolean =>
  CODES.has(kind) && certainty >= MIN_CODE_CERTAINTY && (kind !== 'phone' || /^[+(0]/u.test(text));

function lineOf(
  cells: readonly (Segment | undefined)[],
  { decimal }: Conventions,
  byHeader: readonly Candidate[],
): Line {
  const figures: Figure[] = [];
  const shares = [1];
  for (const [column, segment] of cells.entries())
    for (const span of segment?.spans ?? []) {
      const { number } = span;
      if (segment === undefined || number === undefined) continue;
      const value = numericValue(number, decimal);
      if (value === null || isInCode(segment, span)) continue;
      if (span.kind === 'percent' && value > 0 && value < 100) shares.push(1 - value / 100);
      if (span.kind === 'amount') figures.push({ segment, span, column, value });
    }
  return { cells, figures, shares, byHeader };
}

const isInCode = ({ spans }: Segment, span: ValueSpan): boolean =>
  /^0\d/u.test(span.text) || spans.some((code) => isCode(code) && overlaps(code, span));

const textsOf = ({ cells }: Line): string[] => cells.flatMap((cell) => cell?.text ?? []);

/** Returns the places of quantity, price and amount that most lines agree with; null where chance would explain it. */
function bestPattern(lines: readonly Line[]): Pattern | null {
  let best: { pattern: Pattern; weight: number } | null = null;
  for (const pattern of PATTERNS) {
    const confirmed = lines.filter((line) => confirms(line, pattern));
    const clear = confirmed.filter((line) => isClear(line, pattern)).length;
    if (clear === 0 && confirmed.length < 2) continue;
    const roles = confirmed.reduce((sum, line) => sum + roleScore(line, pattern), 0);
    const weight = MAX_ROLE_SCORE * (clear + confirmed.length) + roles;
    if (best === null || weight > best.weight) best = { pattern, weight };
  }
  return best?.pattern ?? null;
}

/** All places, the amount behind the two others. */
const PATTERNS: readonly Pattern[] = Array.from({ length: MAX_FIGURES }, (_, place) => place).flatMap((lineTotal) =>
  Array.from({ length: MAX_FIGURES }, (_, place) => place).flatMap((first) =>
    Array.from({ length: MAX_FIGURES }, (_, place) => place).flatMap((second) =>
      first !== second && first > lineTotal && second > lineTotal
        ? [{ lineTotal, quantity: first, unitPrice: second }]
        : [],
    ),
  ),
);

function figuresOf({ figures }: Line, pattern: Pattern): Record<keyof Pattern, Figure> | null {
  const quantity = figures.at(-1 - pattern.quantity);
  const unitPrice = figures.at(-1 - pattern.unitPrice);
  const lineTotal = figures.at(-1 - pattern.lineTotal);
  if (quantity === undefined || unitPrice === undefined || lineTotal === undefined) return null;
  return { quantity, unitPrice, lineTotal };
}

function confirms(line: Line, pattern: Pattern): boolean {
  const found = figuresOf(line, pattern);
  if (found === null) return false;
  const { quantity, unitPrice, lineTotal } = found;
  // Amounts are printed with two decimals, except round ones.
  if (lineTotal.span.certainty < MIN_CERTAINTY && !Number.isInteger(quantity.value * unitPrice.value)) return false;
  // A credit note may print the amount alone with its sign.
  const product = Math.abs(quantity.value * unitPrice.value);
  return line.shares.some((share) => Math.abs(product * share - Math.abs(lineTotal.value)) < TOLERANCE);
}

const isExact = ({ quantity, unitPrice, lineTotal }: Record<keyof Pattern, Figure>): boolean =>
  Math.abs(quantity.value * unitPrice.value - lineTotal.value) < TOLERANCE;

const MIN_CERTAINTY = 0.9;

/**
 * Returns whether the line agrees by more than chance: neither factor is one or none, and not all three numbers are
 * whole, or the quantity has a unit.
 */
function isClear(line: Line, pattern: Pattern): boolean {
  const found = figuresOf(line, pattern);
  if (found === null) return false;
  const { quantity, unitPrice, lineTotal } = found;
  const isTrivial = [quantity.value, unitPrice.value].some((value) => [0, 1, -1].includes(value));
  const isWhole = lineTotal.span.certainty < MIN_CERTAINTY && ![quantity, unitPrice].some(hasDecimals);
  return (!isTrivial && !isWhole) || (lineTotal.value !== 0 && quantity.value !== 0 && hasUnit(line, quantity));
}

const MAX_ROLE_SCORE = 26;
/** Points if the header names the column of a factor: more than those of its form together. */
const BY_HEADER = 9;

/** Returns how well the first factor fits a quantity and the second one a price. */
function roleScore(line: Line, pattern: Pattern): number {
  const found = figuresOf(line, pattern);
  if (found === null) return 0;
  const { quantity, unitPrice } = found;
  const rules = [
    [headerNames(line, 'quantity', quantity) === true, BY_HEADER],
    [headerNames(line, 'unitPrice', unitPrice) === true, BY_HEADER],
    [hasUnit(line, quantity), 3],
    [unitPrice.span.number?.symbol != null && quantity.span.number?.symbol == null, 2],
    [decimals(quantity) < decimals(unitPrice), 2],
    [pattern.quantity > pattern.unitPrice, 1],
  ] as const;
  return rules.reduce((sum, [holds, points]) => sum + (holds ? points : 0), 0);
}

const decimals = ({ span }: Figure): number => /[.,](\d+)$/.exec(span.number?.digits ?? '')?.[1]?.length ?? 0;
const hasDecimals = (figure: Figure): boolean => decimals(figure) > 0;

/** Returns whether the header names the figure as the concept; null if it names no other figure either. */
function headerNames({ byHeader }: Line, concept: Concept, { segment, span }: Figure): boolean | null {
  const named = byHeader.find(({ field }) => means(field, concept));
  return named === undefined ? null : named.segment === segment && overlaps(named, span);
}

/** Returns whether a unit follows the number, in its cell or in the next one. */
function hasUnit({ cells }: Line, { segment, span, column }: Figure): boolean {
  const rest = segment.text.slice(span.end);
  if (span.number?.symbol != null) return false;
  const next = rest.trim() === '' ? (cells.slice(column + 1).find((cell) => cell !== undefined)?.text ?? '') : rest;
  const unit = (rest.trim() === '' ? WHOLE_UNIT : UNIT_BEHIND).exec(next.trim())?.[0];
  return unit !== undefined && currencyOf(unit) === null;
}

const WHOLE_UNIT = /^\p{L}{1,6}[²³.]?$/u;
const UNIT_BEHIND = /^\p{L}{1,8}(?:\([\p{L}]+\))?[²³.]?(?=\s|$)/u;

function valuesOf(
  line: Line,
  next: Line | undefined,
  pattern: Pattern,
  named: ReadonlyMap<Concept, Field>,
  conventions: Conventions,
  position: number,
): Map<Field, Candidate> {
  const values = new Map<Field, Candidate>();
  const found = figuresOf(line, pattern);
  if (found === null) return values;
  const isCertain = isExact(found) && isClear(line, pattern) && headerNames(line, 'quantity', found.quantity) !== false;
  for (const concept of ['quantity', 'unitPrice', 'lineTotal'] as const) {
    const field = named.get(concept);
    const { segment, span } = found[concept];
    const value = field === undefined ? undefined : convert(span.text, span, field.shape, conventions);
    if (field === undefined || value === undefined) continue;
    const score = isCertain && concept === 'quantity' ? CLEAR_SCORE : NUMBER_SCORE;
    values.set(field, { field, value, segment, start: span.start, end: span.end, score, shared: false });
  }
  const field = named.get('description');
  const place = textBefore(line, Object.values(found), position) ?? (next === undefined ? null : textAlone(next));
  if (field === undefined || place === null) return values;
  const value = convert(place.segment.text.slice(place.start, place.end), null, field.shape, conventions);
  if (value !== undefined) values.set(field, { field, value, ...place, score: TEXT_SCORE, shared: false });
  return values;
}

interface TextPlace {
  segment: Segment;
  start: number;
  end: number;
}

/** Returns the text before the line's figures that describes the line, without the line's number. */
function textBefore({ cells }: Line, figures: readonly Figure[], position: number): TextPlace | null {
  const places = cells.flatMap((segment): TextPlace[] => {
    if (segment === undefined) return [];
    const own = figures.filter((figure) => figure.segment === segment).map(({ span }) => span.start);
    const lead = POSITION.exec(segment.text);
    const start = Number(lead?.groups?.['number']) === position ? (lead?.[0].length ?? 0) : 0;
    const end = start + segment.text.slice(start, Math.min(segment.text.length, ...own)).trimEnd().length;
    return WORDS.test(segment.text.slice(start, end)) && !UNIT.test(segment.text.slice(start, end))
      ? [{ segment, start, end }]
      : [];
  });
  const longest = Math.max(...places.map(({ start, end }) => end - start));
  // Codes of articles are before the description, units behind it.
  return places.findLast(({ start, end }) => (end - start) * MAX_LONGER >= longest) ?? null;
}

/** The last text of a line describes it unless another one is longer by this factor. */
const MAX_LONGER = 1.5;

/** A quantity or a rate with its unit. */
const UNIT = /^[-−]?\d[\d.,]*\s*\p{L}{1,8}\.?(?:\([\p{L}]+\))?$|%/u;

/** Returns the text of a line without figures, which describes the line above it. */
function textAlone(line: Line): TextPlace | null {
  const [segment, ...others] = line.cells.filter((cell) => cell !== undefined);
  if (segment === undefined || others.length > 0 || line.figures.length > 0 || !WORDS.test(segment.text)) return null;
  return { segment, start: 0, end: segment.text.trimEnd().length };
}
