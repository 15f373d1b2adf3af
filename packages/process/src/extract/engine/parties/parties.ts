/** Finds the issuer of a document and its address without labels, by legal forms of companies and by letterheads. */
import { countryIn, isAddressLike, isTown } from './addresses.ts';
import { columnBelow, customersOf } from './customers.ts';
import { alternatives } from '../lexicon/lexicon.ts';
import { CUSTOMER_CONCEPTS } from '../fields/fields.ts';
import type { Labels } from '../labels/labels.ts';
import { companiesIn, companiesOf, honorificName, nameEnd, TITLE_LINE } from './company-names.ts';
import { isNoName } from './no-names.ts';
import { IN_SECTION, sectionNames } from './party-sections.ts';
import { wordsOf, type PhraseBook } from '../labels/phrase-book.ts';
import { lineEnd, type SegmentedDocument, type Segment } from '../document/segments.ts';
import type { LabelledText } from '../labels/labelled-texts.ts';

export interface PartySpan {
  segment: Segment;
  start: number;
  end: number;
  /** Probability that this is the issuer, 0..1. */
  score: number;
  /** The full text, when it continues in the following segments. */
  whole?: string;
}

const BUSINESS_WORDS = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ companies }) => companies?.businessWords)})(?!\p{L})`,
  'iu',
);
const TITLES = new RegExp(String.raw`^(?:${alternatives(({ documentTitles }) => documentTitles)})(?!\p{L})`, 'iu');
const ADDRESS_END = new RegExp(
  String.raw`[\s,(]*(?<![\p{L}])(?:${alternatives(({ wordsAfterAddress }) => wordsAfterAddress)})(?![\p{L}])|[\p{L}\p{N}._-]+@`,
  'iu',
);
const IMPRINT_NAME = new RegExp(
  String.raw`^(?<name>\p{Lu}[\p{L}&'’.-]*(?:\s+(?:(?:${alternatives(({ companies }) => companies?.particles)}|&)\s+)?\p{Lu}[\p{L}&'’.-]*){0,4}?)(?=\s+[-–|•·]\s|,|\s+\p{Lu}\p{Ll}+\s(?:social|office)\b|\s+\p{N})`,
  'u',
);
/** Bonus for a company that is named several times, as an issuer is in the head and the foot. */
const REPEATED_BONUS = 0.12;
const PAGE_HEAD = 0.35;
/** Number of segments at the top of the first page that may be a letterhead. */
const HEAD_SEGMENTS = 6;
const MAX_COMPANIES = 300;
/** Concepts whose labels are directly before a name. */
const PARTY_NAMES: ReadonlySet<string> = new Set(['vendorName', 'customerName']);

export class Parties {
  readonly issuers: readonly PartySpan[];
  readonly #document: SegmentedDocument;
  readonly #labels: Labels;
  readonly #phrases: PhraseBook;

  readonly #labelledTexts: readonly LabelledText[];
  readonly #known = new Map<string, readonly PartySpan[]>();
  #customers: readonly PartySpan[] | undefined;

  constructor(
    document: SegmentedDocument,
    labels: Labels,
    phrases: PhraseBook,
    labelledTexts: readonly LabelledText[],
  ) {
    this.#labelledTexts = labelledTexts;
    this.#document = document;
    this.#labels = labels;
    this.#phrases = phrases;
    this.issuers = this.#issuers();
  }

  /** Recipients, most likely first. */
  get customers(): readonly PartySpan[] {
    this.#customers ??= customersOf({
      document: this.#document,
      phrases: this.#phrases,
      labelledTexts: this.#labelledTexts,
      issuers: this.issuers,
    });
    return this.#customers;
  }

  /** Returns addresses near an issuer or under a label of the customer, most likely first. */
  addresses(of: 'issuer' | 'customer'): readonly PartySpan[] {
    const known = this.#known.get(of) ?? (of === 'issuer' ? this.#issuerAddresses() : this.#customerAddresses());
    this.#known.set(of, known);
    return known;
  }

  #customerAddresses(): PartySpan[] {
    const labelled = this.#labelledCustomerAddresses();
    return labelled.length > 0 ? labelled : this.customers.slice(0, 1).flatMap((customer) => this.#below(customer));
  }

  /** Returns the addresses in the lines below a name. */
  #below({ segment, end, score }: PartySpan): PartySpan[] {
    const column = columnBelow(segment);
    const first = segment.cell?.grid.rows[segment.cell.row + 1]?.[segment.cell.column];
    if (first !== undefined && first.text === column[0] && isAddressLike(column.join(', ')))
      return [{ segment: first, start: 0, end: first.text.length, score, whole: column.join(', ') }];
    const places = [
      this.#addressFrom(segment, end),
      ...this.#following(segment).map((next) => this.#addressFrom(next, 0)),
    ];
    return places.flatMap((place) => (place === null ? [] : [{ ...place, score }]));
  }

  #labelledCustomerAddresses(): PartySpan[] {
    return this.#labelledTexts.flatMap((labelled) => {
      const match = this.#phrases.find(labelled.words).find(({ target }) => CUSTOMER_CONCEPTS.has(target));
      if (match === undefined || match.weight < 0.9) return [];
      const places = [
        this.#addressFrom(labelled.segment, nameEndAt(labelled.segment, labelled.start)),
        ...this.#following(labelled.segment).map((next) => this.#addressFrom(next, 0)),
      ];
      return places.flatMap((place) => (place === null ? [] : [{ ...place, score: 0.65 * labelled.weight }]));
    });
  }

  #issuerAddresses(): PartySpan[] {
    const found: PartySpan[] = [];
    for (const issuer of this.issuers.slice(0, 4)) {
      const own = this.#addressFrom(issuer.segment, issuer.end);
      if (own !== null) found.push({ ...own, score: issuer.score });
      for (const next of this.#following(issuer.segment)) {
        const region = this.#addressFrom(next, 0);
        if (region !== null) found.push({ ...region, score: issuer.score * 0.95 });
      }
    }
    for (const segment of this.#document.segments.slice(0, 60)) {
      const region = this.#isCustomer(segment) ? null : this.#addressFrom(segment, 0);
      if (region !== null) found.push({ ...region, score: 0.3 });
    }
    return found.toSorted((a, b) => b.score - a.score);
  }

  #issuers(): PartySpan[] {
    const { segments } = this.#document;
    const found: PartySpan[] = [];
    for (const segment of segments) {
      if (segment.text.length > 2_000 || found.length > MAX_COMPANIES) continue;
      for (const { start: first, end } of companiesOf(segment)) {
        const label = this.#leadingLabel(segment.text.slice(first, end));
        if (label !== null && CUSTOMER_CONCEPTS.has(label.concept)) continue;
        const start = first + (label?.length ?? 0);
        const name = segment.text.slice(start, end);
        if (TITLES.test(name)) continue;
        const bonus = this.#isHead(segment) ? 0.12 : 0;
        const penalty = this.#isCustomer(segment) ? 0.4 : 0;
        const repeated =
          segments.filter((other) => other !== segment && other.text.includes(name)).length > 0 ? REPEATED_BONUS : 0;
        const above = start === 0 ? this.#firstLine(segment) : null;
        const joined = above === null ? {} : { whole: `${above} ${name}` };
        const score = 0.55 + bonus + repeated - penalty + (above === null ? 0 : 0.02);
        found.push({ segment, start, end, score, ...joined });
      }
    }
    found.push(...this.#letterheads(), ...this.#imprints(), ...this.#inSections());
    return found.toSorted((a, b) => b.score - a.score || a.segment.index - b.segment.index);
  }

  /** Returns the label before a name whose lines were joined, as in "Supplier Merrow Foods Ltd", with its length. */
  #leadingLabel(name: string): { concept: string; length: number } | null {
    const words = [...name.matchAll(/[\p{L}\p{M}\p{N}'’.&-]+/gu)];
    // A name has a word of its own beside the legal form.
    for (let count = words.length - 2; count > 0; count -= 1) {
      const next = words[count];
      const label = wordsOf(name.slice(0, next?.index));
      const match = this.#phrases
        .find(label)
        .find(
          ({ target, weight, start, end }) =>
            start === 0 && end === label.length && weight === 1 && PARTY_NAMES.has(target),
        );
      if (match !== undefined && next !== undefined) return { concept: match.target, length: next.index };
    }
    return null;
  }

  /** Returns the first line of a name that spans two lines of a block, or two lines in capitals. */
  #firstLine(segment: Segment): string | null {
    const previous = this.#document.segments[segment.index - 1];
    if (previous === undefined || previous.page !== segment.page || previous.cell !== null || !this.#isHead(segment))
      return null;
    const { text } = previous;
    const isName = continuesName(previous, segment) && !isNoName(text, 0, text.length, this.#phrases);
    if (isName && !this.#isCustomer(previous)) return text;
    const gap = (segment.bbox?.[1] ?? 0) - (previous.bbox?.[3] ?? 0);
    const capitals = /^[\p{Lu}&'.\s-]{6,40}$/u;
    if (gap > 0.02 || !capitals.test(previous.text) || !capitals.test(segment.text.slice(0, 8))) return null;
    return TITLES.test(previous.text) ? null : previous.text;
  }

  #letterheads(): PartySpan[] {
    const onFirstPage = this.#document.segments.filter(
      (segment) => (segment.page ?? 1) === 1 && !isInDataTable(segment) && !TITLE_LINE.test(segment.text),
    );
    // Only the first line of an address may be a name.
    const head = onFirstPage
      .filter(({ block, cell }, at) => cell !== null || onFirstPage[at - 1]?.block !== block)
      .slice(0, HEAD_SEGMENTS);
    return head.flatMap((segment, order) => {
      const end = nameEnd(segment.text.slice(0, lineEnd(segment, 0)));
      const name = segment.text.slice(0, end).trim();
      const words = name.split(/\s+/);
      if (name.length < 3 || words.length > 7 || TITLES.test(name) || this.#isCustomer(segment)) return [];
      if (isNoName(segment.text, 0, name.length, this.#phrases)) return [];
      if (/[:@]/.test(name) || (name.match(/\p{L}/gu) ?? []).length < name.length * 0.6) return [];
      const known = this.#phrases.find(this.#labels.words(segment));
      if (known.some((match) => match.end - match.start >= words.length)) return [];
      const business = BUSINESS_WORDS.test(name) ? 0.15 : 0;
      const capital = /^\p{Lu}/u.test(name) ? 0.05 : -0.2;
      const upper = name === name.toUpperCase() && words.length > 1 ? 0.08 : 0;
      const address = isAddressLike(segment.text.slice(end, end + 120)) ? 0.12 : 0;
      return [
        { segment, start: 0, end: name.length, score: 0.48 - 0.04 * order + business + capital + upper + address },
      ];
    });
  }

  /** Finds names at the start of lines with an address, registration numbers and contact details. */
  #imprints(): PartySpan[] {
    return blocksOf(this.#document.segments).flatMap((lines) => {
      const [segment] = lines;
      const text = lines.map((line) => line.text).join(' ');
      if (segment === undefined || text.length > 600 || this.#isCustomer(segment)) return [];
      const meant = new Set(this.#phrases.find(wordsOf(text)).map(({ target }) => target));
      const contactConcepts = ['companyNumber', 'taxId', 'phone', 'email', 'iban', 'vendorAddress', 'website'].filter(
        (target) => meant.has(target),
      );
      const name = lines.length > 1 ? segment.text : IMPRINT_NAME.exec(text)?.groups?.['name'];
      if (
        contactConcepts.length < 2 ||
        name === undefined ||
        !/^\p{Lu}[^\p{N}:]{2,60}$/u.test(name) ||
        TITLES.test(name) ||
        isNoName(segment.text, 0, name.length, this.#phrases) ||
        (!this.#isHeading(name) && this.#phrases.find(wordsOf(name)).length > 0)
      )
        return [];
      return [{ segment, start: 0, end: name.length, score: 0.64 + (this.#isHeading(name) ? REPEATED_BONUS : 0) }];
    });
  }

  #inSections(): PartySpan[] {
    return sectionNames(this.#document, this.#phrases).flatMap(({ concept, segment, start }) => {
      const end = nameEndAt(segment, start);
      const isIssuer = concept === 'vendorName' && !isNoName(segment.text, start, end, this.#phrases);
      return isIssuer ? [{ segment, start, end, score: IN_SECTION }] : [];
    });
  }

  /** Returns whether a line of the head of the first page is the name, as that of a letterhead is. */
  #isHeading(name: string): boolean {
    return this.#document.segments.some((segment) => this.#isHead(segment) && segment.text.trim() === name);
  }

  #isHead(segment: Segment): boolean {
    if ((segment.page ?? 1) !== 1) return false;
    return segment.bbox === null ? segment.index < HEAD_SEGMENTS : segment.bbox[1] < PAGE_HEAD;
  }

  /** Returns whether the segment names or follows a recipient. */
  #isCustomer(segment: Segment): boolean {
    if (honorificName(segment.text) !== undefined) return true;
    const { neighbours } = this.#labels;
    const near = [segment, ...neighbours.above(segment).slice(0, 1), ...neighbours.leftOf(segment).slice(0, 1)];
    return near.some((one) =>
      this.#phrases
        .find(this.#labels.words(one).slice(0, 8))
        .some(({ target, weight }) => weight > 0.9 && CUSTOMER_CONCEPTS.has(target)),
    );
  }

  #following(segment: Segment): Segment[] {
    const { neighbours } = this.#labels;
    const next = this.#document.segments.slice(segment.index + 1, segment.index + 1 + MAX_LINES_TO_ADDRESS);
    return [...new Set([...neighbours.below(segment).slice(0, 1), ...next])];
  }

  /** Returns the address that starts at or after `from`, with the lines that continue it. */
  #addressFrom(segment: Segment, from: number): Omit<PartySpan, 'score'> | null {
    const start = addressStart(segment, from);
    const end = start + addressEnd(segment.text.slice(start));
    const own = segment.text.slice(start, end);
    if (own.length < 3 || own.length > 220 || !/\p{N}/u.test(own)) return null;
    let whole = own;
    let last = segment;
    let behind = segment.text.slice(end);
    if (end >= segment.text.trimEnd().length - 1)
      for (const next of this.#document.segments.slice(segment.index + 1, segment.index + 4)) {
        const more = this.#continuation(last, next);
        if (more === null || whole.length + more.length > 260) break;
        whole = `${whole}${/^\s*,/u.test(behind) ? ',' : ''} ${more}`;
        behind = next.text.slice(more.length);
        if (more.length < next.text.trimEnd().length - 1) break;
        last = next;
      }
    if (!isAddressLike(whole) || whole.length < 8) return null;
    return { segment, start, end, ...(whole === own ? {} : { whole }) };
  }

  /** Returns the part of the next line that continues an address. */
  #continuation(previous: Segment, next: Segment): string | null {
    if (next.cell !== null || next.page !== previous.page || next.text.length > 160 || next.text.includes(':')) {
      if (next.cell !== null || !next.text.includes(':')) return null;
    }
    if (previous.bbox !== null && next.bbox !== null) {
      const gap = next.bbox[1] - previous.bbox[3];
      const aside = next.bbox[0] > previous.bbox[2] || next.bbox[2] < previous.bbox[0];
      if (gap < -0.01 || gap > 0.025 || aside) return null;
    }
    const text = next.text.slice(0, addressEnd(next.text));
    if (text.length < 3 || text.includes(':') || TITLES.test(text) || next.spans.some(({ kind }) => kind === 'date'))
      return null;
    const known = this.#phrases.find(wordsOf(text)).filter(({ weight }) => weight > 0.9);
    if (
      known.some(({ start, target }) => start === 0 && !['city', 'country', 'state', 'street', 'zip'].includes(target))
    )
      return null;
    const goesOn = /,\s*$/u.test(previous.text) || isTown(text);
    return goesOn || isAddressLike(text) || countryIn(text) !== null || /^[\p{Lu}\s,.]+$/u.test(text) ? text : null;
  }
}

/**
 * Returns whether a company on a line continues the name on the line above, in one block: `Ostsee Brandkasse` above
 * `Versicherungsverein Kiel a.G.`
 */
export function continuesName(above: Segment, line: Segment): boolean {
  if (above.block !== line.block || above.index !== line.index - 1) return false;
  const [company] = companiesIn(line.text);
  const isWhole = company?.start === 0 && company.end >= line.text.trimEnd().length;
  const words = above.text.trim().split(/\s+/u);
  const isStart = /^\p{Lu}[\p{L}\s&'’.-]+$/u.test(above.text) && words.length <= MAX_FIRST_LINE;
  // A person above a company has another name, and so has a brand.
  const isRepeated = words.some((word) => line.text.includes(word));
  return isWhole && isStart && !isRepeated && companiesIn(above.text).length === 0 && !TITLES.test(above.text);
}

const MAX_FIRST_LINE = 5;

const nameEndAt = (segment: Segment, start: number): number =>
  start + nameEnd(segment.text.slice(start, lineEnd(segment, start)));

/** Maximum number of lines from a name to its address; registration numbers and dates may be between them. */
const MAX_LINES_TO_ADDRESS = 4;

/** Returns the segments outside tables, block by block. */
function blocksOf(segments: readonly Segment[]): Segment[][] {
  const blocks: Segment[][] = [];
  for (const segment of segments) {
    if (segment.cell !== null) continue;
    const last = blocks.at(-1);
    if (last?.[0]?.block === segment.block) last.push(segment);
    else blocks.push([segment]);
  }
  return blocks;
}

/** Returns whether the segment is a column name or a value under one. Letterheads have no column names. */
function isInDataTable({ cell }: Segment): boolean {
  const [first = []] = cell === null || cell.grid.headerRows === 0 ? [] : cell.grid.rows;
  const names = first.filter((one) => one !== undefined && !/\p{N}/u.test(one.text));
  return names.length >= MIN_COLUMN_NAMES && names.length === first.length;
}

/** Minimum number of columns of a table of data; a label and its value are two. */
const MIN_COLUMN_NAMES = 3;

/** Returns the position after registration numbers, dates and times. */
function addressStart(segment: Segment, from: number): number {
  const lead =
    /^(?:[\s,;:.|·–-]+|\(?[A-Z]{0,3}\p{N}{5,}(?:-\p{L})?\)?(?=[\s,:]|$)|\([^)]{4,24}\)|\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?)/iu;
  let start = from;
  for (;;) {
    const date = segment.spans.find((span) => span.kind === 'date' && span.start === start);
    const skipped = date === undefined ? (lead.exec(segment.text.slice(start))?.[0].length ?? 0) : date.end - start;
    if (skipped === 0) return start;
    start += skipped;
  }
}

/** Returns the length of the address, which ends before contact details, registration numbers or a date. */
function addressEnd(text: string): number {
  const stop = ADDRESS_END.exec(text);
  const end = stop === null ? text.length : stop.index;
  return text.slice(0, end).replace(/[\s,;:|–-]+$/, '').length;
}
