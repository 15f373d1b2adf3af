/**
 * What is known of words that come again and again, found by their place in a text's units: no string is made of a word to
 * look it up, which takes a third as long as a `Map` of strings. For words of ASCII.
 */
const MOST_LETTERS = 40;
/** Twice the entries and a little: few words share a place. */
const SLOTS = 2 ** 17;
const MOST_WORDS = 50_000;
const MOST_BYTES = 2 ** 19;

export class WordTable<Value> {
  /** Number of the entry plus one; 0 is free. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #hashes = new Int32Array(MOST_WORDS);
  /** Where the letters of an entry end; they begin where those of the one before end. */
  readonly #ends = new Int32Array(MOST_WORDS + 1);
  readonly #letters = new Uint8Array(MOST_BYTES);
  readonly #values: Value[] = [];

  /** Of the word from `start` to `end`. */
  get(units: Uint16Array, start: number, end: number): Value | undefined {
    const hash = hashOf(units, start, end);
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const entry = (this.#slots[slot] ?? 0) - 1;
      if (entry < 0) return undefined;
      if (this.#hashes[entry] === hash && this.#is(entry, units, start, end)) return this.#values[entry];
    }
  }

  /** Of a word that is not known yet. Long ones are not kept, and when the table is full it begins anew. */
  set(units: Uint16Array, start: number, end: number, value: Value): void {
    if (end - start > MOST_LETTERS) return;
    if (this.#values.length >= MOST_WORDS || (this.#ends[this.#values.length] ?? 0) + MOST_LETTERS > MOST_BYTES) {
      this.#slots.fill(0);
      this.#values.length = 0;
    }
    const entry = this.#values.push(value) - 1;
    let at = this.#ends[entry] ?? 0;
    for (let index = start; index < end; index += 1, at += 1) this.#letters[at] = units[index] ?? 0;
    this.#ends[entry + 1] = at;
    const hash = hashOf(units, start, end);
    this.#hashes[entry] = hash;
    let slot = hash & (SLOTS - 1);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.#slots[slot] = entry + 1;
  }

  #is(entry: number, units: Uint16Array, start: number, end: number): boolean {
    let at = this.#ends[entry] ?? 0;
    if ((this.#ends[entry + 1] ?? 0) - at !== end - start) return false;
    for (let index = start; index < end; index += 1, at += 1) {
      if (this.#letters[at] !== (units[index] ?? 0)) return false;
    }
    return true;
  }
}

/** FNV-1a, its high bits folded onto the low ones, which choose the place. */
function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (units[index] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
