/** Filters words by their first letters: most words cannot have any of the given terms and need no further analysis. */

/** Returns the lower five bits of an ASCII letter, which ignore its case; 0 is not a letter. */
const letter = (unit: number): number => unit & 31;
const bit = (unit: number): number => 1 << letter(unit);
const isLetter = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const I_OR_Y = bit('i'.charCodeAt(0)) | bit('y'.charCodeAt(0));
const ANY = -1;
/** Minimum length of a stem that keeps the third letter of its words; shorter ones may differ: `using`, `use`. */
const KEEPS_THIRD = 4;
/** Number of letters at the end of a stem that its words may lack: `happy`, `happi`; `probability`, `probabl`. */
const CHANGED_END = 2;

export class Beginnings {
  /**
   * One bit for each second letter, indexed by first letter. A plain array, because creating a typed array takes longer
   * than analysing a chunk.
   */
  readonly #seconds: number[] = Array<number>(32).fill(0);
  /** One bit for each third letter, by the two letters before; several pairs share a slot. */
  readonly #thirds: number[] = Array<number>(32).fill(0);
  /** The letters that the words of a term begin with, by first letter; an empty string where the bits above decide. */
  readonly #prefixes: (string[] | undefined)[] = [];

  /**
   * @param keepsLetters whether a stem begins with the same letters as its words. Its second letter is compared, in
   * stems of four letters or more also its third, and in stems of five or more all but the last two. For the second and
   * the third letter, i and y are equal (`lying`, `lie`).
   */
  constructor(terms: Iterable<string>, keepsLetters: boolean) {
    for (const term of terms) {
      const [first, second, third] = [term.charCodeAt(0), term.charCodeAt(1), term.charCodeAt(2)];
      if (!isLetter(first)) continue;
      // `aed` has the stem `a`.
      const seconds = keepsLetters && isLetter(second) ? alike(second) : ANY;
      const thirds = seconds !== ANY && term.length >= KEEPS_THIRD && isLetter(third) ? alike(third) : ANY;
      const isLong = keepsLetters && term.length - CHANGED_END >= KEEPS_THIRD - 1;
      (this.#prefixes[letter(first)] ??= []).push(isLong ? term.slice(0, -CHANGED_END) : '');
      this.#seconds[letter(first)] = (this.#seconds[letter(first)] ?? 0) | seconds;
      for (let each = 0; each < 32; each += 1) {
        if ((seconds & (1 << each)) === 0) continue;
        const place = placeOf(first, each);
        this.#thirds[place] = (this.#thirds[place] ?? 0) | thirds;
      }
    }
  }

  /**
   * Returns whether the word from `start` to `end` may have one of the terms. Its units are ASCII letters, lower case
   * after the first.
   */
  has(units: Uint16Array, start: number, end: number): boolean {
    const first = units[start] ?? 0;
    const second = end > start + 1 ? (units[start + 1] ?? 0) : 0;
    if (((this.#seconds[letter(first)] ?? 0) & bit(second)) === 0) return false;
    const third = end > start + 2 ? (units[start + 2] ?? 0) : 0;
    if (((this.#thirds[placeOf(first, second)] ?? 0) & bit(third)) === 0) return false;
    for (const prefix of this.#prefixes[letter(first)] ?? [])
      if (prefix.length <= end - start && continues(units, start, prefix)) return true;
    return false;
  }
}

/** Returns whether the letters from the second on are those of the prefix. */
function continues(units: Uint16Array, start: number, prefix: string): boolean {
  for (let at = 1; at < prefix.length; at += 1) if (units[start + at] !== prefix.charCodeAt(at)) return false;
  return true;
}

const alike = (unit: number): number => ((bit(unit) & I_OR_Y) === 0 ? bit(unit) : I_OR_Y);
const placeOf = (first: number, second: number): number => (letter(first) + 7 * letter(second)) & 31;
