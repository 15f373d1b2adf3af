/** How words may begin that stand for one of some terms: a look at a word's first letters spares the look-up of most words. */

/** Of ASCII letters the lower five bits, without their case; 0 is no letter. */
const letter = (unit: number): number => unit & 31;
const isLetter = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const bit = (unit: number): number => 1 << letter(unit);
const I_OR_Y = bit('i'.charCodeAt(0)) | bit('y'.charCodeAt(0));
const ANY = -1;

export class Beginnings {
  /** By first letter: a bit for each second one. */
  readonly #seconds = new Int32Array(32);

  /**
   * @param keepsSecond the stem of a word has its second letter too, where it has two, or the one an i and the other a y
   * (`lying`, `lie`).
   */
  constructor(terms: Iterable<string>, keepsSecond: boolean) {
    for (const term of terms) {
      const first = term.charCodeAt(0);
      if (!isLetter(first)) continue;
      // `aed` has the stem `a`.
      const second = keepsSecond && isLetter(term.charCodeAt(1)) ? bit(term.charCodeAt(1)) : ANY;
      this.#seconds[letter(first)] =
        (this.#seconds[letter(first)] ?? 0) | ((second & I_OR_Y) === 0 ? second : second | I_OR_Y);
    }
  }

  /** Whether a word of ASCII letters in either case may. `second`: 0 for a word of one letter. */
  has(first: number, second: number): boolean {
    return ((this.#seconds[letter(first)] ?? 0) & bit(second)) !== 0;
  }
}
