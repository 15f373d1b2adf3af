/** The words that may say what a value means: before it, in the cells beside and above it, in the pieces around it. */
import { Neighbours } from '../document/neighbours.ts';
import { currencyOf } from '../values/numbers.ts';
import { wordsOf } from './phrase-book.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { ValueSpan } from '../values/value-spans.ts';
import type { ValueKind } from '../lexicon/vocabulary.ts';

export interface Label {
  words: readonly string[];
  /** How much a word loses for each further word between it and the value. */
  distance: number;
  /** 0..1: how strongly the place ties it to the value. */
  weight: number;
}

/** Words before a value that may belong to its label. */
const WORDS_BEFORE = 9;
const WORDS_OF_A_LABEL = 12;
/** Kinds that end the label of the value after them. */
const SEPARATE: ReadonlySet<ValueKind> = new Set<ValueKind>(['date', 'email', 'url', 'iban', 'percent']);

/** `VAT 20 %` names a tax, `VAT %` its rate. */
const RATE = /\d[\d.,]*\s?%/gu;
/** Between two things on a line. */
const BETWEEN = /\s[·•|;]\s/gu;
/** A label with a colon, behind a word that has digits: the end of an address, of another value. */
const BEHIND_DIGITS = /(?<=\p{N}\p{L}{0,3}[\s,;]{1,3})\p{L}[^\p{N}:：]*[:：]\s*$/u;

/** Where the label of the value at `end` begins at the earliest. */
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

  /** Of the value at `[start, end)` of the segment, the nearest first. */
  of(segment: Segment, span: Pick<ValueSpan, 'start' | 'end'>): Label[] {
    const { text, startsPiece } = this.#before(segment, span.start);
    const labels: Label[] = [];
    if (text.length > 0) labels.push({ words: text, distance: 0.09, weight: 1 });
    // Values in a row, and a value that begins its piece, also have what stands beside and above the piece.
    if (text.length === 0 || startsPiece || segment.cell !== null) {
      const factor = text.length === 0 ? 1 : 0.85;
      for (const label of this.#around(segment)) labels.push({ ...label, weight: label.weight * factor });
    }
    return labels;
  }

  /** `own`: only other values stand between the label and the piece's beginning. */
  #before(segment: Segment, start: number): { text: string[]; startsPiece: boolean } {
    let from = 0;
    for (const span of segment.spans) {
      // `VAT 20 % 4.00`: the rate is a part of the label.
      const isRate = span.kind === 'percent' && /^[\s:)]*$/.test(segment.text.slice(span.end, start));
      if (SEPARATE.has(span.kind) && span.end <= start && !isRate) from = Math.max(from, span.end);
    }
    from = Math.max(from, labelStart(segment.text, start));
    const all = wordsOf(segment.text.slice(Math.max(from, start - 200), start).replaceAll(RATE, ' '));
    const words = all.filter((word) => !/^\p{N}+$/u.test(word));
    return { text: words.slice(-WORDS_BEFORE), startsPiece: words.length === 0 || (from > 0 && words.length <= 1) };
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
      // A header over many values names a column and none of them.
      const alone = above.length + neighbours.below(segment).length <= 2;
      add(above, alone ? 0.86 : 0.5, 2);
      const header = above.findLast((other) => other.cell?.header === true);
      if (header !== undefined) add([header], alone ? 0.86 : 0.5, 1);
      if (segment.cell.row === 0) add(neighbours.beforeGrid(segment), 0.72, 3);
    }
    return labels;
  }

  /** Short, with more letters than digits. */
  isLabel(segment: Segment): boolean {
    const words = this.words(segment);
    const letters = (segment.text.match(/\p{L}/gu) ?? []).length;
    const formed = segment.spans.filter(({ kind }) => kind === 'amount' || kind === 'percent' || kind === 'date');
    const inValues = formed.reduce((sum, { text }) => sum + (text.match(/\p{N}/gu) ?? []).length, 0);
    const digits = (segment.text.match(/\p{N}/gu) ?? []).length - inValues;
    if (/^#\s?\S+$/.test(segment.text) || currencyOf(segment.text.trim()) !== null) return false;
    return words.length <= WORDS_OF_A_LABEL && letters >= 2 && letters > digits;
  }
}
