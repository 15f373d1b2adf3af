/** Generates text with the word frequencies of natural language (Zipf), the same for the same seed. */
export class TextSource {
  readonly #words: string[];
  readonly #cumulative: Float64Array;
  #state: number;

  constructor(seed: number, vocabulary = 30_000) {
    this.#state = seed;
    this.#words = Array.from({ length: vocabulary }, (_, index) => this.#word(index));
    this.#cumulative = new Float64Array(vocabulary);
    let total = 0;
    for (let index = 0; index < vocabulary; index++) this.#cumulative[index] = total += 1 / (index + 2);
  }

  /** Returns a number in [0, 1) by xorshift32. */
  random(): number {
    let x = this.#state | 0 || 1;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) / 2 ** 32;
  }

  word(): string {
    return this.#words[this.index()] ?? '';
  }

  /** Returns all words, the most frequent first. */
  vocabulary(): readonly string[] {
    return this.#words;
  }

  /** Returns the index of a random word in the vocabulary. */
  index(): number {
    const wanted = this.random() * (this.#cumulative.at(-1) ?? 1);
    let low = 0;
    let high = this.#words.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulative[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  /** Returns paragraphs of about 60 words. */
  text(words: number): string {
    const paragraphs: string[] = [];
    for (let left = words; left > 0; left -= 60) paragraphs.push(`${this.words(Math.min(60, left))}.`);
    return paragraphs.join('\n\n');
  }

  #word(index: number): string {
    const syllables = ['ka', 'lo', 'mi', 'ter', 'sun', 'pra', 'ven', 'dol', 'gri', 'shu', 'ban', 'ex', 'ful', 'no'];
    let word = '';
    for (let rest = index + 14; rest > 0; rest = Math.floor(rest / 14)) word += syllables[rest % 14];
    return word;
  }
}
