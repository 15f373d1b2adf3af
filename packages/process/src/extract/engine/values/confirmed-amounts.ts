/**
 * Finds amounts that add up: net plus tax is the total, and so is the amount paid less the change. The amount left to
 * pay after an advance is not the total.
 */
import type { Field } from '../fields/fields.ts';
import { means } from '../fields/meaning.ts';
import type { Labels } from '../labels/labels.ts';
import { numericValue } from './numbers.ts';
import type { PhraseBook } from '../labels/phrase-book.ts';
import type { Segment } from '../document/segments.ts';
import type { ValueSpan } from './value-spans.ts';
import type { Conventions } from './convert.ts';

interface Amount {
  value: number;
  key: string;
  means: ReadonlySet<string>;
}

const BONUS = 0.08;
/** Maximum number of amounts considered. */
const MAX_AMOUNTS = 400;
/** Maximum confidence of an amount that does not agree with the other sums of the document. */
const UNCONFIRMED = 0.85;
/**
 * Highest share of the net sum that a tax can be, well above all rates of value added tax. Taxable amounts of two rates
 * add up to a printed sum too.
 */
const MAX_TAX_SHARE = 0.5;
/** Concepts of which one follows from the others. */
const SUMS: readonly string[] = ['subtotal', 'tax', 'total'];

export class ConfirmedAmounts {
  /** Concepts by the position of an amount. */
  readonly #confirmed = new Map<string, Set<string>>();
  /** Positions of amounts that are left to pay of a total. */
  readonly #remainders = new Set<string>();
  #taxesAreParts = false;
  /** Sums that a label of the document names. */
  readonly #named: ReadonlySet<string>;

  constructor(
    segments: readonly Segment[],
    labels: Labels,
    phrases: PhraseBook,
    { decimal }: Pick<Conventions, 'decimal'>,
  ) {
    const amounts: Amount[] = [];
    for (const segment of segments)
      for (const span of segment.spans) {
        if (
          span.kind !== 'amount' ||
          span.number === undefined ||
          span.certainty < 0.5 ||
          amounts.length >= MAX_AMOUNTS
        )
          continue;
        const value = numericValue(span.number, decimal);
        if (value === null || value === 0) continue;
        const means = new Set(
          labels.of(segment, span).flatMap(({ words }) => phrases.find(words).map(({ target }) => target)),
        );
        amounts.push({ value: Math.round(value * 100), key: keyOf(segment, span), means });
      }
    this.#confirm(amounts);
    this.#named = new Set(amounts.flatMap(({ means }) => SUMS.filter((concept) => means.has(concept))));
  }

  /** Returns what arithmetic adds to the score of the amount; less than 0 for a total that is the net sum. */
  bonus(field: Field, segment: Segment, span: Pick<ValueSpan, 'start'>): number {
    const key = keyOf(segment, span);
    const confirmed = this.#confirmed.get(key);
    const meant = [...field.targets.keys()].filter((target) => means(field, target));
    if (meant.includes('total') && this.#remainders.has(key)) return -BONUS;
    if (confirmed === undefined) return 0;
    if (meant.some((target) => confirmed.has(target))) return BONUS;
    return meant.includes('total') ? -BONUS : 0;
  }

  /** Returns the maximum confidence of the amount: a sum is certain only if the document's other sums confirm it. */
  limit(field: Field, segment: Segment, span: Pick<ValueSpan, 'start' | 'number'>): number | undefined {
    const isSum = SUMS.some((concept) => means(field, concept));
    // Sums of credit notes are given with a sign or without one; the reader of the data may expect either.
    if (isSum && span.number?.negative === true) return UNCONFIRMED;
    const isConfirmed = this.bonus(field, segment, span) > 0;
    return isSum && !isConfirmed && this.#named.size > 1 ? UNCONFIRMED : undefined;
  }

  /** Returns whether the amount is the tax at one of several rates, and not the tax. */
  isPartOfTax(field: Field, segment: Segment, span: Pick<ValueSpan, 'start'>): boolean {
    const isTax = means(field, 'tax');
    return isTax && this.#taxesAreParts && !this.confirms('tax', segment, span);
  }

  /** Returns whether arithmetic alone makes the amount this concept. */
  confirms(concept: string, segment: Segment, span: Pick<ValueSpan, 'start'>): boolean {
    return this.#confirmed.get(keyOf(segment, span))?.has(concept) === true;
  }

  #confirm(amounts: readonly Amount[]): void {
    const named = (concept: string): Amount[] => amounts.filter(({ means }) => means.has(concept));
    const byValue = new Map<number, Amount[]>();
    for (const amount of amounts) byValue.set(amount.value, [...(byValue.get(amount.value) ?? []), amount]);
    for (const tax of named('tax'))
      for (const net of named('subtotal')) {
        const share = tax.value / net.value;
        if (net.key === tax.key || share <= 0 || share > MAX_TAX_SHARE) continue;
        const totals = byValue.get(net.value + tax.value) ?? [];
        if (totals.length === 0) continue;
        this.#add(tax, 'tax');
        this.#add(net, 'subtotal');
        for (const total of totals) this.#add(total, 'total');
      }
    this.#confirmSeveralTaxes(named('tax'), named('subtotal'), named('total'), byValue);
    for (const total of named('total'))
      for (const paid of named('paid')) {
        if (paid.value <= 0 || paid.value >= total.value) continue;
        const left = (byValue.get(total.value - paid.value) ?? []).filter(({ means }) => means.has('total'));
        for (const { key } of left) this.#remainders.add(key);
      }
    for (const paid of named('paid'))
      for (const change of named('change')) {
        if (paid.key === change.key || paid.value <= change.value) continue;
        for (const total of byValue.get(paid.value - change.value) ?? []) this.#add(total, 'total');
      }
  }

  /** Confirms a net sum and a total that differ by the taxes at several rates, and the sum of these taxes. */
  #confirmSeveralTaxes(
    taxes: readonly Amount[],
    nets: readonly Amount[],
    totals: readonly Amount[],
    byValue: ReadonlyMap<number, readonly Amount[]>,
  ): void {
    const distinct = [...new Map(taxes.map((tax) => [tax.value, tax])).values()].slice(0, MAX_TAXES);
    const sums = sumsOf(distinct.map(({ value }) => value));
    // Small numbers add up by accident, so a label that also names a tax does not count.
    const isClear = ({ means }: Amount): boolean => !means.has('tax');
    for (const net of nets.filter(isClear))
      for (const total of totals.filter(isClear)) {
        const tax = total.value - net.value;
        const share = tax / net.value;
        if (share <= 0 || share > MAX_TAX_SHARE || !sums.has(tax)) continue;
        this.#add(net, 'subtotal');
        this.#add(total, 'total');
        for (const whole of byValue.get(tax) ?? []) this.#add(whole, 'tax');
        this.#taxesAreParts = true;
      }
  }

  #add({ key }: Amount, concept: string): void {
    const known = this.#confirmed.get(key) ?? new Set();
    this.#confirmed.set(key, known.add(concept));
  }
}

/** Maximum number of taxes of which sums are formed, and of rates in one document. */
const MAX_TAXES = 12;
const MAX_RATES = 4;

/** Returns the sums of two to four of the values that have one sign. */
function sumsOf(values: readonly number[]): ReadonlySet<number> {
  const sums = new Set<number>();
  const extend = (from: number, count: number, sum: number): void => {
    if (count >= 2) sums.add(sum);
    if (count === MAX_RATES) return;
    for (const [at, value] of values.entries())
      if (at >= from && sum * value >= 0) extend(at + 1, count + 1, sum + value);
  };
  extend(0, 0, 0);
  return sums;
}

const keyOf = (segment: Segment, { start }: Pick<ValueSpan, 'start'>): string => `${segment.index}:${start}`;
