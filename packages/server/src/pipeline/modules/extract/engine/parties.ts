/** Who issued a document and where they are, when no label says so: companies by their legal form, letterheads. */
import { isAddressLike } from './address.ts';
import type { Labels } from './labels.ts';
import type { PhraseBook } from './phrases.ts';
import type { Reading, Segment } from './segments.ts';

export interface PartySpan {
  segment: Segment;
  start: number;
  end: number;
  /** 0..1: that it is the issuer. */
  score: number;
}

const LEGAL_FORM = String.raw`(?:ltd|limited|llc|l\.l\.c|inc|incorporated|corp|corporation|plc|llp|gmbh(?:\s*&\s*co\.?\s*kg)?|ag|kg|ohg|ug|e\.k|se|s\.a\.s|s\.a\.r\.l|sarl|sas|eurl|s\.a|sa|b\.v|bv|n\.v|nv|s\.p\.a|spa|s\.r\.l|srl|s\.l|ltda|lda|ab|asa|a\/s|aps|oy|oyj|sp\.?\s*z\s*o\.?\s*o|s\.r\.o|kft|pty(?:\.?\s*ltd)?|pvt(?:\.?\s*ltd)?|pte(?:\.?\s*ltd)?|sdn\.?\s*bhd|s\/b|bhd|kk|co)`;
/** Up to seven words that begin like a name, and the legal form. */
const COMPANY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:[\p{Lu}\p{N}][\p{L}\p{N}&'’.\-]*,?\s+(?:(?:of|and|the|de|du|la|et|und|&|\(\p{L}{1,3}\))\s+){0,2}){1,6}${LEGAL_FORM}(?![\p{L}\p{N}])\.?`,
  'giu',
);
const BUSINESS_WORDS = /(?<!\p{L})(?:enterprise|trading|restaurant|restoran|cafe|café|store|stores|mart|market|supermarket|shop|hotel|pharmacy|bakery|kitchen|bistro|bar|services|solutions|group|holdings|international|industries|hardware|books?|bank|clinic|apotheke|metzgerei|bäckerei|boulangerie|boutique|winkel|tienda|farmacia|university|institute|foundation|association|verein)(?!\p{L})/iu;
const TITLES = /^(?:(?:simplified\s+)?(?:tax\s+)?(?:invoice|receipt|bill|statement|quotation|order|credit note|delivery note|copy|original|page|welcome|thank you)|rechnung|facture|factuur|fattura|factura|fatura|faktura|gutschrift|quittung|seite)(?!\p{L})/iu;
const PAGE_HEAD = 0.35;
/** Pieces at the head of the first page that may be a letterhead. */
const HEAD_SEGMENTS = 6;

export class Parties {
  readonly issuers: readonly PartySpan[];
  readonly #reading: Reading;
  readonly #labels: Labels;
  readonly #phrases: PhraseBook;

  constructor(reading: Reading, labels: Labels, phrases: PhraseBook) {
    this.#reading = reading;
    this.#labels = labels;
    this.#phrases = phrases;
    this.issuers = this.#issuers();
  }

  /** Addresses near an issuer, the likeliest first. */
  addresses(): PartySpan[] {
    const found: PartySpan[] = [];
    for (const issuer of this.issuers.slice(0, 4)) {
      const own = this.#addressFrom(issuer.segment, issuer.end);
      if (own !== null) found.push({ ...own, score: issuer.score });
      for (const next of this.#following(issuer.segment)) {
        const region = this.#addressFrom(next, 0);
        if (region !== null) found.push({ ...region, score: issuer.score * 0.95 });
      }
    }
    for (const segment of this.#reading.segments.slice(0, 60)) {
      const region = this.#isCustomer(segment) ? null : this.#addressFrom(segment, 0);
      if (region !== null) found.push({ ...region, score: 0.3 });
    }
    return found.toSorted((a, b) => b.score - a.score);
  }

  #issuers(): PartySpan[] {
    const { segments } = this.#reading;
    const found: PartySpan[] = [];
    for (const segment of segments) {
      if (segment.text.length > 2_000) continue;
      for (const match of segment.text.matchAll(COMPANY)) {
        const name = match[0].trim();
        if (name.split(/\s+/).length < 2 || TITLES.test(name)) continue;
        const bonus = this.#isHead(segment) ? 0.12 : 0;
        const penalty = this.#isCustomer(segment) ? 0.4 : 0;
        const repeated = segments.filter((other) => other !== segment && other.text.includes(name)).length > 0 ? 0.08 : 0;
        found.push({ segment, start: match.index, end: match.index + name.length, score: 0.55 + bonus + repeated - penalty });
      }
    }
    found.push(...this.#letterheads());
    return found.toSorted((a, b) => b.score - a.score || a.segment.index - b.segment.index);
  }

  #letterheads(): PartySpan[] {
    const head = this.#reading.segments.filter((segment) => (segment.page ?? 1) === 1).slice(0, HEAD_SEGMENTS);
    return head.flatMap((segment, order) => {
      const end = nameEnd(segment.text);
      const name = segment.text.slice(0, end).trim();
      const words = name.split(/\s+/);
      if (name.length < 3 || words.length > 7 || TITLES.test(name) || this.#isCustomer(segment)) return [];
      if (/[:@]/.test(name) || (name.match(/\p{L}/gu) ?? []).length < name.length * 0.6) return [];
      const known = this.#phrases.find(this.#labels.words(segment));
      if (known.some((match) => match.end - match.start >= words.length)) return [];
      const business = BUSINESS_WORDS.test(name) ? 0.15 : 0;
      const capital = /^\p{Lu}/u.test(name) ? 0.05 : -0.2;
      const upper = name === name.toUpperCase() && words.length > 1 ? 0.08 : 0;
      return [{ segment, start: 0, end: name.length, score: 0.48 - 0.04 * order + business + capital + upper }];
    });
  }

  #isHead(segment: Segment): boolean {
    if ((segment.page ?? 1) !== 1) return false;
    return segment.bbox === null ? segment.index < HEAD_SEGMENTS : segment.bbox[1] < PAGE_HEAD;
  }

  /** What stands in or after a piece that is addressed to somebody. */
  #isCustomer(segment: Segment): boolean {
    const { neighbours } = this.#labels;
    const near = [segment, ...neighbours.above(segment).slice(0, 1), ...neighbours.leftOf(segment).slice(0, 1)];
    return near.some((one) =>
      this.#phrases
        .find(this.#labels.words(one).slice(0, 8))
        .some(({ target, weight }) => weight > 0.9 && ['customerName', 'customerAddress', 'shippingAddress'].includes(target)),
    );
  }

  #following(segment: Segment): Segment[] {
    const { neighbours } = this.#labels;
    const next = this.#reading.segments.slice(segment.index + 1, segment.index + 3);
    return [...new Set([...neighbours.below(segment).slice(0, 1), ...next])];
  }

  /** The part of a piece, from a place on, that reads like an address. */
  #addressFrom(segment: Segment, from: number): Omit<PartySpan, 'score'> | null {
    const start = from + (/^[\s,;:|·–-]*(?:\([^)]{4,24}\)[\s,]*)?/.exec(segment.text.slice(from))?.[0].length ?? 0);
    const end = start + addressEnd(segment.text.slice(start));
    const text = segment.text.slice(start, end);
    if (text.length < 8 || text.length > 220 || !isAddressLike(text)) return null;
    return { segment, start, end };
  }
}

/** A name ends before a number, a bracket with one, a street, or a dash between spaces. */
function nameEnd(text: string): number {
  const stop = /\s+[(\[]?\p{L}{0,3}[-.]?\p{N}|\s+[-–|·]\s+|[,;]\s|\s\((?=[^)]*\p{N})|\n/u.exec(text);
  const end = stop === null ? text.length : stop.index;
  const street = /\s(?=(?:jalan|jln|no\.?|lot|rue|via|calle)\s)/iu.exec(text.slice(0, end));
  return street === null ? end : street.index;
}

/** Up to what is no longer address: telephone, mail, registrations, a date. */
function addressEnd(text: string): number {
  const stop =
    /[\s,(]*(?<![\p{L}])(?:tel|telephone|phone|fax|e-?mail|gst|vat|tin|tax|company no|co\.? reg|reg no|roc|site|hotline|http|www|invoice|receipt|date|iban|bic|kvk|btw|siret|rcs|cin|customer care|page)(?![\p{L}])|[\p{L}\p{N}._-]+@/iu.exec(
      text,
    );
  const end = stop === null ? text.length : stop.index;
  return text.slice(0, end).replace(/[\s,;:|–-]+$/, '').length;
}

