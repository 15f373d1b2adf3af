/** How words may begin that stand for one of some terms: a look at a word's first letters spares the look-up of most words. */

/** Of ASCII letters the lower five bits, without their case; 0 is no letter. */
const letter = (unit: number): number => unit & 31;
const isLetter = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const [I, Y] = [letter('i'.charCodeAt(0)), letter('y'.charCodeAt(0))];
const ANY = -1;

export class Beginnings {
  /** 1 for each pair of first letters. */
  readonly #pairs = new Uint8Array(32 * 32);

  /**
   * @param keepsSecond the stem of a word has its second letter too, where it has two, or the one an i and the other a y
   * (`lying`, `lie`).
   */
  constructor(terms: Iterable<string>, keepsSecond: boolean) {
    for (const term of terms) {
      const first = term.charCodeAt(0);
      if (!isLetter(first)) continue;
      // `aed` has the stem `a`.
      const second = keepsSecond && isLetter(term.charCodeAt(1)) ? letter(term.charCodeAt(1)) : ANY;
      if (second === ANY) this.#pairs.fill(1, letter(first) * 32, letter(first) * 32 + 32);
      else
        for (const each of second === I || second === Y ? [I, Y] : [second]) this.#pairs[letter(first) * 32 + each] = 1;
    }
  }

  /** Whether a word of ASCII letters in either case may. `second`: 0 for a word of one letter. */
  has(first: number, second: number): boolean {
    return this.#pairs[letter(first) * 32 + letter(second)] === 1;
  }
}
