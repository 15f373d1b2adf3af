/**
 * BERT's uncased tokenizer (clean, lower case, no accents, Han characters and punctuation separate, then the longest
 * pieces of the vocabulary from the left), for models with exactly these rules. Optimised for speed: the ids of
 * frequent words are cached, and plain ASCII is looked up without creating strings. The tests compare it with
 * @huggingface/tokenizers.
 */
import { TextUnits } from '@quire/shared/text-units';
import { WordTable } from '@quire/shared/word-table';

export interface WordPieceOptions {
  unknown: string;
  /** A longer word is unknown as a whole; 100 in every published model. */
  maxWordLength?: number;
}

const CACHED_WORDS = 50_000;
const CONTINUATION = '##';

/** Characters that are words of their own: ASCII other than letters and digits, Unicode punctuation, ideographs. */
const IDEOGRAPH =
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}';
const SINGLE_CHARACTER_WORDS = `!-\\/:-@\\[-\`{-~\\p{P}${IDEOGRAPH}`;
const WORDS = new RegExp(`[${SINGLE_CHARACTER_WORDS}]|[^\\s${SINGLE_CHARACTER_WORDS}]+`, 'gu');
/**
 * Controls, formats, private use, unassigned and the replacement character are dropped; tab and line ends are spaces.
 */
const DROPPED = /[^\P{C}\t\n\r]|\ufffd/gu;
const MARKS = /\p{Mn}/gu;

export class WordPieceTokenizer {
  readonly #vocabulary: ReadonlyMap<string, number>;
  readonly #unknown: number;
  readonly #maxWordLength: number;
  /** Length in code units, which is at least the number of characters. */
  readonly #longestToken: number;
  readonly #words = new Map<string, readonly number[]>();
  /** The same for words of ASCII letters and digits, in either case, and for single signs. */
  readonly #plainWords = new WordTable<readonly number[]>();
  readonly #units = new TextUnits();
  #ids: Int32Array = new Int32Array(512);
  #count = 0;

  constructor(vocabulary: ReadonlyMap<string, number>, options: WordPieceOptions) {
    const unknown = vocabulary.get(options.unknown);
    if (unknown === undefined) throw new Error(`The vocabulary lacks ${options.unknown}`);
    this.#vocabulary = vocabulary;
    this.#unknown = unknown;
    this.#maxWordLength = options.maxWordLength ?? 100;
    this.#longestToken = [...vocabulary.keys()].reduce((longest, token) => Math.max(longest, token.length), 0);
  }

  /** Returns the ids of a text without special tokens. */
  encode(text: string): number[] {
    return [...this.idsOf(text)];
  }

  count(text: string): number {
    return this.idsOf(text).length;
  }

  /** As `encode`, without a copy: valid until the next call of any of these. */
  idsOf(text: string): Int32Array {
    const units = this.#units.read(text);
    this.#count = 0;
    for (let at = 0; at < text.length;) {
      const from = at;
      const before = this.#count;
      at = this.#addPlain(text, units, from);
      if (at > from) continue;
      // The text between two spaces is split as it would be by itself.
      this.#count = before;
      at = spaceAfter(units, from, text.length);
      for (const word of wordsOf(text.slice(from, at))) this.#add(this.#idsOfWord(word));
    }
    return this.#ids.subarray(0, this.#count);
  }

  /** Adds the ids up to the next space and returns its position, or `start` if the word is not plain ASCII. */
  #addPlain(text: string, units: Uint16Array, start: number): number {
    const { length } = text;
    for (let at = start; at < length;) {
      const kind = kindOf(units[at] ?? 0);
      if (kind === SPACE) return at + 1;
      if (kind === OTHER) return start;
      const from = at;
      at += 1;
      if (kind === LETTER) while (at < length && kindOf(units[at] ?? 0) === LETTER) at += 1;
      this.#add(this.#plainWords.get(units, from, at) ?? this.#learn(text, units, from, at));
    }
    return length;
  }

  #add(ids: readonly number[]): void {
    const count = this.#count + ids.length;
    if (count > this.#ids.length) this.#grow(count);
    const all = this.#ids;
    for (let index = 0, at = this.#count; index < ids.length; index += 1, at += 1) all[at] = ids[index] ?? 0;
    this.#count = count;
  }

  #grow(least: number): void {
    const larger = new Int32Array(Math.max(least, 2 * this.#ids.length));
    larger.set(this.#ids);
    this.#ids = larger;
  }

  #learn(text: string, units: Uint16Array, start: number, end: number): readonly number[] {
    const ids = this.#cut(text.slice(start, end).toLowerCase());
    this.#plainWords.set(units, start, end, ids);
    return ids;
  }

  #idsOfWord(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const ids = this.#cut(word);
    if (this.#words.size >= CACHED_WORDS) this.#words.clear();
    if (word.length <= this.#maxWordLength) this.#words.set(word, ids);
    return ids;
  }

  #cut(word: string): readonly number[] {
    const whole = this.#vocabulary.get(word);
    const characters = Array.from(word);
    if (characters.length > this.#maxWordLength) return [this.#unknown];
    if (whole !== undefined) return [whole];
    // A word without surrogate pairs, as almost all are, is cut by code units.
    const slice =
      characters.length === word.length
        ? (start: number, end: number): string => word.slice(start, end)
        : (start: number, end: number): string => characters.slice(start, end).join('');
    const ids: number[] = [];
    for (let start = 0; start < characters.length;) {
      const piece = this.#longestPiece(slice, start, characters.length);
      if (piece === undefined) return [this.#unknown];
      ids.push(piece.id);
      start = piece.end;
    }
    return ids;
  }

  #longestPiece(
    slice: (start: number, end: number) => string,
    start: number,
    length: number,
  ): { id: number; end: number } | undefined {
    const prefix = start > 0 ? CONTINUATION : '';
    for (let end = Math.min(length, start + this.#longestToken); end > start; end--) {
      const id = this.#vocabulary.get(prefix + slice(start, end));
      if (id !== undefined) return { id, end };
    }
    return undefined;
  }
}

const OTHER = 0;
const SPACE = 1;
const LETTER = 2;
const SIGN = 3;
/** Control characters of ASCII. Other controls are dropped and belong to the surrounding word. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\t\n\r ]/.test(character)) return SPACE;
  if (/[A-Za-z0-9]/.test(character)) return LETTER;
  return /[!-~]/.test(character) ? SIGN : OTHER;
});

const kindOf = (unit: number): number => (unit < 128 ? (KINDS[unit] ?? OTHER) : OTHER);

function spaceAfter(units: Uint16Array, start: number, length: number): number {
  let at = start;
  while (at < length && kindOf(units[at] ?? 0) !== SPACE) at += 1;
  return at;
}

function wordsOf(text: string): readonly string[] {
  const clean = text.replace(DROPPED, '').normalize('NFD').replace(MARKS, '').toLowerCase();
  return clean.match(WORDS) ?? [];
}
