/**
 * Finds the recipient of a document: the name under a label of the customer, else the only recipient block of a letter.
 */
import { isAddressLike } from './addresses.ts';
import { LABEL_WEIGHTS } from '../lexicon/weights.ts';
import { CUSTOMER_CONCEPTS } from '../fields/fields.ts';
import type { PartySpan } from './parties.ts';
import { IN_SECTION, sectionNames } from './party-sections.ts';
import { isNoName } from './no-names.ts';
import { companiesIn, honorificName, isPersonTitle, nameEnd } from './company-names.ts';
import { wordsOf, type PhraseBook } from '../labels/phrase-book.ts';
import { lineEnd, nextLineStart, type SegmentedDocument, type Segment } from '../document/segments.ts';
import { hasOwnLabel, type LabelledText } from '../labels/labelled-texts.ts';

export interface CustomerDeps {
  document: SegmentedDocument;
  phrases: PhraseBook;
  labelledTexts: readonly LabelledText[];
  /** Issuers, most likely first. */
  issuers: readonly PartySpan[];
}

const EXACT = 0.9;
const LABEL_WORDS = 4;
const MAX_NAME_LENGTH = 9;
/** Scores of a name under a label. The recipient of goods often differs from the recipient of the bill. */
const LABEL_SCORES: Readonly<Record<string, number>> = {
  customerName: 0.9,
  customerAddress: 0.84,
  shippingAddress: 0.6,
};
const WITHOUT_COLON = 0.95;
/** Factor for labels that often mean something else, such as "To" on a line of its own. */
const WEAK_LABEL = 0.8;
const RECIPIENT = 0.5;
const NAME_WITH_HONORIFIC = 0.85;
/** Number of segments, and share of the page height, in which a letter names its recipient. */
const HEAD_SEGMENTS = 12;
const PAGE_HEAD = 0.4;
/** Maximum length of an address line in characters, and maximum line gap in page heights. */
const MAX_LINE_LENGTH = 60;
const LINE_GAP = 0.03;
const WORD = /[\p{L}\p{M}\p{N}'’.]+/gu;

export function customersOf(deps: CustomerDeps): PartySpan[] {
  const labelled = [...inSections(deps), ...underLabels(deps), ...behindLabels(deps), ...withHonorifics(deps)];
  const found = labelled.length > 0 ? labelled : recipients(deps);
  return found.toSorted((a, b) => b.score - a.score);
}

const inSections = (deps: CustomerDeps): PartySpan[] =>
  sectionNames(deps.document, deps.phrases).flatMap(({ concept, segment, start }) =>
    concept === 'customerName' ? named(deps, segment, start, segment.text.length, IN_SECTION) : [],
  );

function underLabels(deps: CustomerDeps): PartySpan[] {
  const { labelledTexts, phrases } = deps;
  return labelledTexts.flatMap(({ words, weight, segment, start, end }) => {
    const certainty = customerLabel(words, phrases);
    return certainty === null ? [] : nameAfterTitle(deps, segment, start, end, certainty * weight);
  });
}

/** Finds names directly after a label, as in "Bill to Merrow Foods Ltd 88 Station Road", where lines were joined. */
function behindLabels(deps: CustomerDeps): PartySpan[] {
  const { document, phrases } = deps;
  return document.segments.flatMap((segment) => {
    if (segment.text.length > 300) return [];
    const words = [...segment.text.slice(0, 80).matchAll(WORD)].slice(0, LABEL_WORDS);
    for (const word of words.toReversed()) {
      const end = word.index + word[0].length;
      const certainty = customerLabel(wordsOf(segment.text.slice(0, end)), phrases);
      const next = /^[\s.]+(?=[\p{Lu}\p{Lo}])/u.exec(segment.text.slice(end));
      if (certainty === null || next === null) continue;
      return named(deps, segment, end + next[0].length, segment.text.length, certainty * WITHOUT_COLON);
    }
    return [];
  });
}

/** Returns a score when the words are exactly a label of the customer. */
function customerLabel(words: readonly string[], phrases: PhraseBook): number | null {
  const match = phrases
    .find(words)
    .find(
      ({ target, weight, start, end }) =>
        CUSTOMER_CONCEPTS.has(target) && weight >= LABEL_WEIGHTS.weakLabels && start === 0 && end === words.length,
    );
  if (match === undefined) return null;
  return (LABEL_SCORES[match.target] ?? 0) * (match.weight > EXACT ? 1 : WEAK_LABEL);
}

function withHonorifics(deps: CustomerDeps): PartySpan[] {
  return deps.document.segments.slice(0, 60).flatMap((segment) => {
    const name = honorificName(segment.text);
    return name === undefined ? [] : named(deps, segment, 0, name.length, NAME_WITH_HONORIFIC);
  });
}

/** Finds the only block with an address at the head of a letter that is not the issuer's, or the only titled one. */
function recipients(deps: CustomerDeps): PartySpan[] {
  const { document, issuers } = deps;
  const [issuer] = issuers;
  if (issuer === undefined) return [];
  const own = issuer.segment.text.slice(issuer.start, issuer.end);
  const found = document.segments.slice(0, HEAD_SEGMENTS).flatMap((segment) => {
    const { text, bbox, cell } = segment;
    const isHead = (segment.page ?? 1) === 1 && (bbox === null || bbox[1] < PAGE_HEAD);
    const line = text.slice(0, lineEnd(segment, 0));
    const end = nameEnd(line);
    if (!isHead || text.includes(own) || line.includes(':')) return [];
    if (cell !== null && segment.lineEnds.length === 0) {
      const isName = end === text.trimEnd().length && isAddressLike(columnBelow(segment).join(', '));
      return isName && startsColumn(segment) ? nameAfterTitle(deps, segment, 0, text.length, RECIPIENT) : [];
    }
    if (!isAddressLike(text.slice(end)) && !isAboveAddress(segment, end, document)) return [];
    return nameAfterTitle(deps, segment, 0, text.length, RECIPIENT);
  });
  const titled = found.filter(({ segment }) => isPersonTitle(document.segments[segment.index - 1]?.text ?? ''));
  // A table below a letter's recipient may hold further addresses.
  const outside = found.filter(({ segment }) => segment.cell === null);
  const [only, ...others] = titled.length > 0 ? titled : outside.length > 0 ? outside : found;
  return only !== undefined && others.length === 0 ? [only] : [];
}

/** Returns whether a name on a line of its own is followed by lines with street and town. */
function isAboveAddress(segment: Segment, end: number, { segments }: SegmentedDocument): boolean {
  if (end < segment.text.trimEnd().length || (segment.kind === 'heading' && !isCompany(segment.text))) return false;
  if (isAddressLike(cellsBelow(segment, segments).join(', '))) return true;
  const lines = segments.slice(segment.index + 1, segment.index + 3);
  const isBelow = lines.every(
    ({ cell, kind, text, bbox, spans }, at) =>
      cell === null &&
      kind !== 'heading' &&
      text.length <= MAX_LINE_LENGTH &&
      !text.includes(':') &&
      !spans.some((span) => span.kind === 'date') &&
      (bbox === null || segment.bbox === null || bbox[1] - segment.bbox[3] < LINE_GAP * (at + 1)),
  );
  const [first] = lines;
  const hasNumber = first !== undefined && /\p{N}/u.test(first.text);
  return isBelow && hasNumber && isAddressLike(lines.map(({ text }) => text).join(', '));
}

/** Lines of an address below a name. */
const ADDRESS_LINES = 2;

/** Returns the texts directly below a cell in its column, where the lines of a letter's window are rows of a table. */
export function columnBelow({ cell }: Segment): string[] {
  const rows = cell?.grid.rows.slice(cell.row + 1, cell.row + 1 + ADDRESS_LINES) ?? [];
  const texts = rows.map((cells) => (cell === null ? undefined : cells[cell.column]?.text));
  return texts.flatMap((text) => (text === undefined || text.includes(':') ? [] : [text]));
}

/** Returns whether a cell begins its column, or only a title such as "Herrn" is above it. */
function startsColumn({ cell }: Segment): boolean {
  const above = cell?.grid.rows.slice(0, cell.row).flatMap((cells) => cells[cell.column]?.text ?? []) ?? [];
  return above.length === 0 || (above.length === 1 && isPersonTitle(above[0] ?? ''));
}

const isCompany = (text: string): boolean => companiesIn(text).some(({ start }) => start === 0);

/** Returns the texts of the cell directly below a line and of the one below that. */
function cellsBelow({ bbox, page }: Segment, segments: readonly Segment[]): string[] {
  if (bbox === null) return [];
  const below = segments.find(({ cell, lines }) => {
    const [first] = lines;
    if (cell === null || first === undefined || first.page !== page) return false;
    const gap = first.box[1] - bbox[3];
    const isInColumn = lines.some(({ box }) => box[0] < bbox[2] && box[2] > bbox[0]);
    return gap > -LINE_GAP && gap < LINE_GAP && isInColumn;
  });
  const next = below?.cell?.grid.rows[below.cell.row + 1]?.[below.cell.column];
  return [below, next].flatMap((one) => one?.text ?? []);
}

/** Returns the name, which is on the next line after a title such as "Herrn". */
function nameAfterTitle(deps: CustomerDeps, segment: Segment, start: number, end: number, score: number): PartySpan[] {
  const next = deps.document.segments[segment.index + 1];
  const isTitle = next !== undefined && isPersonTitle(segment.text.slice(start, end));
  return isTitle ? named(deps, next, 0, next.text.length, score) : named(deps, segment, start, end, score);
}

/** Returns the range of the first line of an address in a cell that is no title and has no label of its own. */
function nameLine(segment: Segment, start: number, end: number): [number, number] {
  const { text } = segment;
  let from = start;
  for (;;) {
    const to = lineEnd(segment, from);
    const line = text.slice(from, to).trim();
    if (to >= end || (!isPersonTitle(line) && !hasOwnLabel(line))) return [from, wholeName(segment, from, to)];
    from = nextLineStart(segment, to);
  }
}

/** Returns the end of a name whose legal form is alone on the next line. */
function wholeName(segment: Segment, from: number, to: number): number {
  const next = lineEnd(segment, to);
  const goesOn =
    /^\s*\S+$/u.test(segment.text.slice(to, next)) && companiesIn(segment.text.slice(from, to)).length === 0;
  const [company] = goesOn ? companiesIn(segment.text.slice(from, next)) : [];
  return company?.start === 0 && company.end === next - from ? next : to;
}

function named(deps: CustomerDeps, segment: Segment, first: number, last: number, score: number): PartySpan[] {
  const { phrases } = deps;
  const [start, end] = segment.lineEnds.length === 0 ? [first, last] : nameLine(segment, first, last);
  const text = segment.text.slice(start, Math.min(end, last));
  const name = text.slice(0, nameEnd(text)).replace(/[\s,;:|–-]+$/, '');
  const letters = (name.match(/\p{L}/gu) ?? []).length;
  const isName = /^[\p{Lu}\p{Lo}]/u.test(name) && letters >= name.length * 0.6 && letters > 1;
  if (!isName || name.split(/\s+/).length > MAX_NAME_LENGTH || isNoName(text, 0, name.length, phrases)) return [];
  return [{ segment, start, end: start + name.length, score }];
}
