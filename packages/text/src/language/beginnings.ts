/** Filters words by their first letters: most words cannot have any of the given terms and need no further analysis. */

/** Returns the lower five bits of an ASCII letter, which ignore its case; 0 is not a letter. */
const letter = (unit: number): number => unit & 31;
const bit = (unit: number): number => 1 << letter(unit);
const isLetter = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const I_OR_Y = bit('i'.charCodeAt(0)) | bit('y'.charCodeAt(0));
const ANY = -1;
/** Minimum length of a stem that keeps the third letter of its words; shorter ones may differ: `using`, `use`. */
const KEEPS_THIRD = 4;

export class Beginnings {
  /**
   * One bit for each second letter, indexed by first letter. A plain array, because creating a typed array takes longer
   * than analysing a chunk.
   */
  readonly #seconds: number[] = Array<number>(32).fill(0);
  /** One bit for each third letter, by the two letters before; several pairs share a slot. */
  readonly #thirds: number[] = Array<number>(32).fill(0);

  /**
   * @param keepsLetters whether the stem of a word keeps its second letter and, from four letters on, its third; or one
   * of the two is an i and the other a y (`lying`, `lie`).
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

  /** Returns whether the word of ASCII letters from `start` to `end` may have one of the terms, in either case. */
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
