/** To whom a document is addressed: the name under a label of the customer, else the only recipient's block of a letter. */
import { isAddressLike } from './addresses.ts';
import { CUSTOMER_CONCEPTS } from '../fields/fields.ts';
import type { PartySpan } from './parties.ts';
import { honouredName, nameEnd } from './company-names.ts';
import { wordsOf, type PhraseBook } from '../labels/phrase-book.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { LabelledText } from '../labels/labelled-texts.ts';

export interface CustomerDeps {
  document: SegmentedDocument;
  phrases: PhraseBook;
  labelledTexts: readonly LabelledText[];
  /** The likeliest first. */
  issuers: readonly PartySpan[];
}

const EXACT = 0.9;
const LABEL_WORDS = 4;
const LONGEST_NAME = 9;
/** How surely a name stands first under a label; goods are often sent to somebody else than the bill. */
const CERTAINTY: Readonly<Record<string, number>> = { customerName: 0.9, customerAddress: 0.84, shippingAddress: 0.6 };
const WITHOUT_COLON = 0.95;
const RECIPIENT = 0.5;
const HONOURED = 0.85;
/** Pieces, and page heights, in which a letter says to whom it goes. */
const HEAD_SEGMENTS = 12;
const PAGE_HEAD = 0.4;
/** Characters of a line of an address, and page heights from one to the next. */
const LONGEST_LINE = 60;
const LINE_GAP = 0.03;
const WORD = /[\p{L}\p{M}\p{N}'’.]+/gu;

export function customersOf(deps: CustomerDeps): PartySpan[] {
  const labelled = [...underLabels(deps), ...behindLabels(deps), ...honoured(deps)];
  const found = labelled.length > 0 ? labelled : recipients(deps);
  return found.toSorted((a, b) => b.score - a.score);
}

function underLabels({ labelledTexts, phrases }: CustomerDeps): PartySpan[] {
  return labelledTexts.flatMap(({ words, weight, segment, start, end }) => {
    const certainty = customerLabel(words, phrases);
    return certainty === null ? [] : named(segment, start, end, certainty * weight);
  });
}

/** "Bill to Merrow Foods Ltd 88 Station Road": lines that the page set one below the other. */
function behindLabels({ document, phrases }: CustomerDeps): PartySpan[] {
  return document.segments.flatMap((segment) => {
    if (segment.text.length > 300) return [];
    const words = [...segment.text.slice(0, 80).matchAll(WORD)].slice(0, LABEL_WORDS);
    for (const word of words.toReversed()) {
      const end = word.index + word[0].length;
      const certainty = customerLabel(wordsOf(segment.text.slice(0, end)), phrases);
      const next = /^[\s.]+(?=[\p{Lu}\p{Lo}])/u.exec(segment.text.slice(end));
      if (certainty === null || next === null) continue;
      return named(segment, end + next[0].length, segment.text.length, certainty * WITHOUT_COLON);
    }
    return [];
  });
}

/** The words are a label of the customer and nothing else. */
function customerLabel(words: readonly string[], phrases: PhraseBook): number | null {
  const match = phrases
    .find(words)
    .find(
      ({ target, weight, start, end }) =>
        CUSTOMER_CONCEPTS.has(target) && weight > EXACT && start === 0 && end === words.length,
    );
  return match === undefined ? null : (CERTAINTY[match.target] ?? null);
}

function honoured({ document }: CustomerDeps): PartySpan[] {
  return document.segments.slice(0, 60).flatMap((segment) => {
    const name = honouredName(segment.text);
    return name === undefined ? [] : named(segment, 0, name.length, HONOURED);
  });
}

/** A letter names who wrote it and to whom it goes: the block with an address that is not the issuer's. */
function recipients({ document, issuers }: CustomerDeps): PartySpan[] {
  const [issuer] = issuers;
  if (issuer === undefined) return [];
  const own = issuer.segment.text.slice(issuer.start, issuer.end);
  const found = document.segments.slice(0, HEAD_SEGMENTS).flatMap((segment) => {
    const { text, bbox, cell } = segment;
    const isHead = (segment.page ?? 1) === 1 && (bbox === null || bbox[1] < PAGE_HEAD);
    const end = nameEnd(text);
    if (!isHead || cell !== null || text.includes(own) || text.includes(':')) return [];
    if (!isAddressLike(text.slice(end)) && !isAboveAddress(segment, end, document)) return [];
    return named(segment, 0, text.length, RECIPIENT);
  });
  return found.length === 1 ? found : [];
}

/** A name on a line by itself, with street and town on the next ones. */
function isAboveAddress(segment: Segment, end: number, { segments }: SegmentedDocument): boolean {
  if (end < segment.text.trimEnd().length || segment.kind === 'heading') return false;
  const lines = segments.slice(segment.index + 1, segment.index + 3);
  const isBelow = lines.every(
    ({ cell, kind, text, bbox, spans }, at) =>
      cell === null &&
      kind !== 'heading' &&
      text.length <= LONGEST_LINE &&
      !text.includes(':') &&
      !spans.some((span) => span.kind === 'date') &&
      (bbox === null || segment.bbox === null || bbox[1] - segment.bbox[3] < LINE_GAP * (at + 1)),
  );
  const [first] = lines;
  const hasNumber = first !== undefined && /\p{N}/u.test(first.text);
  return isBelow && hasNumber && isAddressLike(lines.map(({ text }) => text).join(', '));
}

function named(segment: Segment, start: number, end: number, score: number): PartySpan[] {
  const text = segment.text.slice(start, end);
  const name = text.slice(0, nameEnd(text)).replace(/[\s,;:|–-]+$/, '');
  const letters = (name.match(/\p{L}/gu) ?? []).length;
  const isName = /^[\p{Lu}\p{Lo}]/u.test(name) && letters >= name.length * 0.6 && letters > 1;
  if (!isName || name.split(/\s+/).length > LONGEST_NAME) return [];
  return [{ segment, start, end: start + name.length, score }];
}
