/**
 * Finds the words that may state the meaning of a value: before it, in the cells beside and above it, and in adjacent
 * segments.
 */
import { Neighbours } from '../document/neighbours.ts';
import { currencyOf } from '../values/numbers.ts';
import { wordsOf } from './phrase-book.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { ValueSpan } from '../values/value-spans.ts';
import type { ValueKind } from '../lexicon/concepts.ts';

export interface Label {
  words: readonly string[];
  /** Reduction of a word's weight for each further word between it and the value. */
  distance: number;
  /** Strength of the relation between label and value, 0..1. */
  weight: number;
}

/** Maximum number of words before a value that may belong to its label. */
const MAX_WORDS_BEFORE = 9;
const MAX_LABEL_WORDS = 12;
/** Kinds of values that end the label of the next value. */
const SEPARATING_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>(['date', 'email', 'url', 'iban', 'percent']);

/** A percentage inside a label: `VAT 20 %` names a tax, `VAT %` its rate. */
const RATE = /\d[\d.,]*\s?%/gu;
/** A separator between two values on a line. */
const BETWEEN = /\s[·•|;]\s/gu;
/** A label with a colon after a word with digits, which ends an address or another value. */
const BEHIND_DIGITS = /(?<=\p{N}\p{L}{0,3}[\s,;]{1,3})\p{L}[^\p{N}:：]*[:：]\s*$/u;

/** Returns the earliest possible start of the label of the value at `end`. */
function labelStart(text: string, end: number): number {
  const from = Math.max(0, end - 200);
  const before = text.slice(from, end);
  const behind = /[:：]\s*$/u.test(before) ? (BEHIND_DIGITS.exec(before)?.index ?? 0) : 0;
  const between = [...before.matchAll(BETWEEN)].at(-1)?.index ?? 0;
  return from + Math.max(behind, between);
}

export class Labels {
  readonly neighbours: Neighbours;
  readonly #words = new Map<Segment, readonly string[]>();

  constructor(document: SegmentedDocument) {
    this.neighbours = new Neighbours(document);
  }

  words(segment: Segment): readonly string[] {
    const known = this.#words.get(segment);
    if (known !== undefined) return known;
    const words = wordsOf(segment.text.slice(0, 2000));
    this.#words.set(segment, words);
    return words;
  }

  /** Returns the labels of the value at `[start, end)` of the segment, nearest first. */
  of(segment: Segment, span: Pick<ValueSpan, 'start' | 'end'>): Label[] {
    const { text, startsPiece } = this.#before(segment, span.start);
    const labels: Label[] = [];
    if (text.length > 0) labels.push({ words: text, distance: 0.09, weight: 1 });
    // Values in a row, and a value at the start of its segment, also have the labels beside and above the segment.
    if (text.length === 0 || startsPiece || segment.cell !== null) {
      const factor = text.length === 0 ? 1 : 0.85;
      for (const label of this.#around(segment)) labels.push({ ...label, weight: label.weight * factor });
    }
    return labels;
  }

  /** `startsPiece` is true when only other values are between the start of the segment and the value. */
  #before(segment: Segment, start: number): { text: string[]; startsPiece: boolean } {
    let from = 0;
    for (const span of segment.spans) {
      // In `VAT 20 % 4.00` the rate is a part of the label.
      const isRate = span.kind === 'percent' && /^[\s:)]*$/.test(segment.text.slice(span.end, start));
      if (SEPARATING_KINDS.has(span.kind) && span.end <= start && !isRate) from = Math.max(from, span.end);
    }
    from = Math.max(from, labelStart(segment.text, start));
    const all = wordsOf(segment.text.slice(Math.max(from, start - 200), start).replaceAll(RATE, ' '));
    const words = all.filter((word) => !/^\p{N}+$/u.test(word));
    return { text: words.slice(-MAX_WORDS_BEFORE), startsPiece: words.length === 0 || (from > 0 && words.length <= 1) };
  }

  #around(segment: Segment): Label[] {
    const { neighbours } = this;
    const labels: Label[] = [];
    const add = (found: readonly Segment[], weight: number, many: number): void => {
      for (const one of found.filter((other) => this.isLabel(other)).slice(0, many))
        labels.push({ words: this.words(one), distance: 0, weight });
    };
    add(neighbours.leftOf(segment), 0.99, 1);
    if (segment.cell === null) {
      add(neighbours.above(segment).slice(0, 1), 0.85, 1);
      if (segment.bbox === null) add(neighbours.before(segment), 0.8, 1);
    } else {
      const above = neighbours.above(segment);
      // A header above many values names a column rather than a value.
      const alone = above.length + neighbours.below(segment).length <= 2;
      add(above, alone ? 0.86 : 0.5, 2);
      const header = above.findLast((other) => other.cell?.header === true);
      if (header !== undefined) add([header], alone ? 0.86 : 0.5, 1);
      if (segment.cell.row === 0) add(neighbours.beforeGrid(segment), 0.72, 3);
    }
    return labels;
  }

  /** Returns whether the segment may be a label: short, with more letters than digits. */
  isLabel(segment: Segment): boolean {
    const words = this.words(segment);
    const letters = (segment.text.match(/\p{L}/gu) ?? []).length;
    const formed = segment.spans.filter(({ kind }) => kind === 'amount' || kind === 'percent' || kind === 'date');
    const inValues = formed.reduce((sum, { text }) => sum + (text.match(/\p{N}/gu) ?? []).length, 0);
    const digits = (segment.text.match(/\p{N}/gu) ?? []).length - inValues;
    if (/^#\s?\S+$/.test(segment.text) || currencyOf(segment.text.trim()) !== null) return false;
    return words.length <= MAX_LABEL_WORDS && letters >= 2 && letters > digits;
  }
}
