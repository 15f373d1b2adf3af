/** How words may begin that stand for one of some terms: a look at a word's first letters spares the look-up of most words. */

/** Of ASCII letters the lower five bits, without their case; 0 is no letter. */
const letter = (unit: number): number => unit & 31;
const bit = (unit: number): number => 1 << letter(unit);
const isLetter = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const I_OR_Y = bit('i'.charCodeAt(0)) | bit('y'.charCodeAt(0));
const ANY = -1;
/** Shorter stems may have another third letter than their words: `using`, `use`. */
const KEEPS_THIRD = 4;

export class Beginnings {
  /** By first letter: a bit for each second one. No typed arrays: to make one takes longer than to read a passage. */
  readonly #seconds: number[] = Array<number>(32).fill(0);
  /** A bit for each third one, by the two before; several of those share a place. */
  readonly #thirds: number[] = Array<number>(32).fill(0);

  /**
   * @param keepsLetters the stem of a word has its second letter too, where it has two, and with four its third; or the one
   * an i and the other a y (`lying`, `lie`).
   */
  constructor(terms: Iterable<string>, keepsLetters: boolean) {
    for (const term of terms) {
      const [first, second, third] = [term.charCodeAt(0), term.charCodeAt(1), term.charCodeAt(2)];
      if (!isLetter(first)) continue;
      // `aed` has the stem `a`.
      const seconds = keepsLetters && isLetter(second) ? alike(second) : ANY;
      const thirds = seconds !== ANY && term.length >= KEEPS_THIRD && isLetter(third) ? alike(third) : ANY;
      this.#seconds[letter(first)] = (this.#seconds[letter(first)] ?? 0) | seconds;
      for (let each = 0; each < 32; each += 1) {
        if ((seconds & (1 << each)) === 0) continue;
        const place = placeOf(first, each);
        this.#thirds[place] = (this.#thirds[place] ?? 0) | thirds;
      }
    }
  }

  /** Whether a word of ASCII letters in either case may, that stands from `start` to `end`. */
  has(text: string, start: number, end: number): boolean {
    const first = text.charCodeAt(start);
    const second = end > start + 1 ? text.charCodeAt(start + 1) : 0;
    if (((this.#seconds[letter(first)] ?? 0) & bit(second)) === 0) return false;
    const third = end > start + 2 ? text.charCodeAt(start + 2) : 0;
    return ((this.#thirds[placeOf(first, second)] ?? 0) & bit(third)) !== 0;
  }
}

const alike = (unit: number): number => ((bit(unit) & I_OR_Y) === 0 ? bit(unit) : I_OR_Y);
const placeOf = (first: number, second: number): number => (letter(first) + 7 * letter(second)) & 31;
