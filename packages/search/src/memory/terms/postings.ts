/**
 * Posting lists: the slots that contain a term, with counts. They are append-only, never sorted or merged. A term's
 * postings form a chain of blocks that double in size, stored in a few large arrays (after Busch et al., "Earlybird:
 * Real-Time Search at Twitter", 2012).
 *
 * A block is one word with the address of the next block, followed by postings: the slot in 24 bits, the count in 8. An
 * address has the page number in the upper 16 bits and the word offset in the lower 16.
 */
import { grown } from '../grown-array.ts';
import type { SnapshotWriter } from '../snapshot-file.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';

/** Number of slots that a posting can address. */
export const MAX_SLOTS = 2 ** 24;
const MAX_COUNT = 255;
/** One word less than the offset can address, since the end of a block is an address too. */
const PAGE_WORDS = 65_535;
const FIRST_PAGE_WORDS = 2048;
const FIRST_BLOCK_WORDS = 2;
const LARGEST_BLOCK_WORDS = 1024;

const NO_PAGE = new Uint32Array(0);

const blockWords = (index: number): number => Math.min(FIRST_BLOCK_WORDS << Math.min(index, 16), LARGEST_BLOCK_WORDS);

/** Words of a term's entry, half a cache line: adding a row touches about a hundred terms. */
const TERM_WORDS = 8;
/**
 * Addresses of the next posting and the end of the last block, row count, addresses of the first and last block, block
 * count.
 */
const [NEXT, END, ROWS, FIRST, LAST, BLOCKS] = [0, 1, 2, 3, 4, 5];
/** Highest count in a row, and highest share of a row's terms in units of 2^-24. */
const [FREQUENCY, DENSITY] = [6, 7];
const DENSITY_UNIT = 2 ** -24;

export class Postings {
  readonly #pages: Uint32Array[] = [];
  /** Number of used words of the last page. */
  #used = 0;
  #pageBytes = 0;
  #terms = new Uint32Array(16 * TERM_WORDS);

  get byteLength(): number {
    return this.#pageBytes + this.#terms.byteLength;
  }

  save(to: SnapshotWriter): void {
    to.number(this.#used);
    to.number(this.#pages.length);
    for (const page of this.#pages) to.numbers(page);
    to.numbers(this.#terms);
  }

  /** Fills empty postings. */
  async restore(from: SnapshotReader): Promise<void> {
    this.#used = await from.number();
    const pages = await from.number();
    for (let page = 0; page < pages; page += 1) this.#pages.push(await from.numbers(Uint32Array));
    this.#pageBytes = this.#pages.reduce((sum, page) => sum + page.byteLength, 0);
    this.#terms = await from.numbers(Uint32Array);
  }

  /** Returns the number of rows with the term, removed rows included. */
  rowsWith(term: number): number {
    return this.#terms[term * TERM_WORDS + ROWS] ?? 0;
  }

  /** Returns upper bounds over all rows with the term: of its count, and of its count relative to the row's length. */
  bounds(term: number): { frequency: number; density: number } {
    const entry = term * TERM_WORDS;
    return {
      frequency: this.#terms[entry + FREQUENCY] ?? 0,
      density: (this.#terms[entry + DENSITY] ?? 0) * DENSITY_UNIT,
    };
  }

  /** Counts one occurrence of the term in the slot, whose row has `length` terms. Slots must ascend. */
  add(term: number, slot: number, length: number): void {
    const entry = term * TERM_WORDS;
    if (entry + TERM_WORDS > this.#terms.length) this.#terms = grown(this.#terms, entry + TERM_WORDS);
    const terms = this.#terms;
    const next = terms[entry + NEXT] ?? 0;
    const rows = terms[entry + ROWS] ?? 0;
    if (rows > 0) {
      const page = this.#page(next);
      const last = (next & 0xffff) - 1;
      const posting = page[last] ?? 0;
      if (posting >>> 8 === slot) {
        const count = (posting & 0xff) + 1;
        if (count > MAX_COUNT) return;
        page[last] = posting + 1;
        if (count > (terms[entry + FREQUENCY] ?? 0)) terms[entry + FREQUENCY] = count;
        raiseDensity(terms, entry, count / length);
        return;
      }
    }
    const at = next === terms[entry + END] ? this.#addBlock(entry) : next;
    this.#page(at)[at & 0xffff] = slot * 256 + 1;
    terms[entry + NEXT] = at + 1;
    terms[entry + ROWS] = rows + 1;
    if (rows === 0) terms[entry + FREQUENCY] = 1;
    raiseDensity(terms, entry, 1 / length);
  }

  /** Visits all postings block by block, ascending by slot: `words[from]` to `words[to - 1]`. */
  forEachBlock(term: number, visit: (words: Uint32Array, from: number, to: number) => void): void {
    const entry = term * TERM_WORDS;
    const blocks = this.#terms[entry + BLOCKS] ?? 0;
    let address = this.#terms[entry + FIRST] ?? 0;
    for (let index = 0; index < blocks; index += 1) {
      const page = this.#page(address);
      const start = address & 0xffff;
      const end = index === blocks - 1 ? (this.#terms[entry + NEXT] ?? 0) & 0xffff : start + blockWords(index);
      visit(page, start + 1, end);
      address = page[start] ?? 0;
    }
  }

  #page(address: number): Uint32Array {
    return this.#pages[address >>> 16] ?? NO_PAGE;
  }

  /** Appends a block and returns the address of its first posting. */
  #addBlock(entry: number): number {
    const terms = this.#terms;
    const index = terms[entry + BLOCKS] ?? 0;
    const words = blockWords(index);
    const page = this.#pages.at(-1);
    if (page === undefined || this.#used + words > page.length) this.#addPage(words);
    const start = (this.#pages.length - 1) * 65_536 + this.#used;
    if (index === 0) terms[entry + FIRST] = start;
    else this.#setNextBlock(terms[entry + LAST] ?? 0, start);
    terms[entry + LAST] = start;
    terms[entry + END] = start + words;
    terms[entry + BLOCKS] = index + 1;
    this.#used += words;
    return start + 1;
  }

  #setNextBlock(block: number, next: number): void {
    this.#page(block)[block & 0xffff] = next;
  }

  #addPage(words: number): void {
    const size = Math.min(PAGE_WORDS, FIRST_PAGE_WORDS << Math.min(this.#pages.length, 5));
    const page = new Uint32Array(Math.max(words, size));
    this.#pages.push(page);
    this.#pageBytes += page.byteLength;
    this.#used = 0;
  }
}

function raiseDensity(terms: Uint32Array, entry: number, share: number): void {
  const density = Math.ceil(share / DENSITY_UNIT);
  if (density > (terms[entry + DENSITY] ?? 0)) terms[entry + DENSITY] = density;
}
