/**
 * BERT's uncased tokenizer (clean, lower case, no accents, Han characters and punctuation apart, then the longest pieces
 * of the vocabulary from the left), for models that use exactly that. Written for speed: words come back, so the ids of a
 * word are kept. Checked id by id against @huggingface/tokenizers in the tests.
 */
export interface WordPieceOptions {
  unknown: string;
  /** A longer word is unknown as a whole; 100 in every published model. */
  maxWordLength?: number;
}

const CACHED_WORDS = 50_000;
const CONTINUATION = '##';

/** What BERT takes for a separate word: ASCII that is no letter or digit, Unicode punctuation, ideographs. */
const IDEOGRAPH =
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}';
const ALONE = `!-\\/:-@\\[-\`{-~\\p{P}${IDEOGRAPH}`;
const WORDS = new RegExp(`[${ALONE}]|[^\\s${ALONE}]+`, 'gu');
const ASCII_WORDS = /[a-z0-9]+|[!-/:-@[-`{-~]/g;
// eslint-disable-next-line no-control-regex
const PLAIN_ASCII = /^[\t\n\r\x20-\x7e]*$/;
/** Controls, formats, private use, unassigned and the replacement character are dropped; tab and line ends are spaces. */
const DROPPED = /[^\P{C}\t\n\r]|\ufffd/gu;
const MARKS = /\p{Mn}/gu;

export class WordPieceTokenizer {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #unknown: number;
  readonly #maxWordLength: number;
  /** In code units, hence no fewer than its characters. */
  readonly #longestToken: number;
  readonly #words = new Map<string, readonly number[]>();

  constructor(vocabulary: ReadonlyMap<string, number>, options: WordPieceOptions) {
    const unknown = vocabulary.get(options.unknown);
    if (unknown === undefined) throw new Error(`The vocabulary lacks ${options.unknown}`);
    this.#ids = vocabulary;
    this.#unknown = unknown;
    this.#maxWordLength = options.maxWordLength ?? 100;
    this.#longestToken = [...vocabulary.keys()].reduce((longest, token) => Math.max(longest, token.length), 0);
  }

  /** The ids of a text, without the marks that a model wants around it. */
  encode(text: string): number[] {
    const ids: number[] = [];
    for (const word of wordsOf(text)) {
      for (const id of this.#idsOf(word)) ids.push(id);
    }
    return ids;
  }

  count(text: string): number {
    let count = 0;
    for (const word of wordsOf(text)) count += this.#idsOf(word).length;
    return count;
  }

  #idsOf(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const ids = this.#cut(word);
    if (this.#words.size >= CACHED_WORDS) this.#words.clear();
    if (word.length <= this.#maxWordLength) this.#words.set(word, ids);
    return ids;
  }

  #cut(word: string): readonly number[] {
    const whole = this.#ids.get(word);
    const characters = Array.from(word);
    if (characters.length > this.#maxWordLength) return [this.#unknown];
    if (whole !== undefined) return [whole];
    // A word without characters of two code units, as nearly all are, is cut without putting pieces together again.
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
      const id = this.#ids.get(prefix + slice(start, end));
      if (id !== undefined) return { id, end };
    }
    return undefined;
  }
}

function wordsOf(text: string): readonly string[] {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase().match(ASCII_WORDS) ?? [];
  const clean = text.replace(DROPPED, '').normalize('NFD').replace(MARKS, '').toLowerCase();
  return clean.match(WORDS) ?? [];
}
