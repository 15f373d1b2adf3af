/**
 * Chooses the width of the lines of a picture. The recogniser's time is proportional to the width, and it reads letters
 * of 13 pixels as well as wider ones; at 11 it begins to lose words. Wide typefaces are compressed to that, narrow ones
 * are not.
 */
import type { Character } from './decode-line.ts';
import { LINE_HEIGHT } from './cut-line.ts';

/** Width of a letter in pixels of the recogniser's input that is aimed at, and below which a line is read again. */
const LETTER_WIDTH = 13;
const MIN_LETTER_WIDTH = 11.5;
/** Width of a line relative to its proportions: at first, and its limits. */
const FIRST_COMPRESSION = 0.8;
const MIN_COMPRESSION = 0.5;
const MAX_COMPRESSION = 1;
/** Mean confidence below which a line is read again with the first compression. */
const SURE = 0.9;
/** Number of lines whose letters the next one probably has, and the letters from which a line counts. */
const REMEMBERED_LINES = 5;
const MIN_LETTERS = 10;
/** Characters that are as wide as they are high. */
const FULL_WIDTH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export class LetterWidths {
  /** Letters per square of the last lines. */
  readonly #densities: number[] = [];

  /** Returns the compression with which a line is read first. */
  compression(): number {
    return this.#densities.length === 0 ? FIRST_COMPRESSION : compressionFor(Math.max(...this.#densities));
  }

  /**
   * Takes note of a line that was read; `aspect` is the ratio of its length to its height. Returns the compression with
   * which it should be read again, null if it was read well.
   */
  retry(characters: readonly Character[], aspect: number, compression: number): number | null {
    const letters = characters.reduce((sum, { text }) => sum + (FULL_WIDTH.test(text) ? 2 : 1), 0);
    const density = letters / aspect;
    const isSure = characters.reduce((sum, { confidence }) => sum + confidence, 0) >= SURE * characters.length;
    if (letters >= MIN_LETTERS && isSure) {
      this.#densities.push(density);
      if (this.#densities.length > REMEMBERED_LINES) this.#densities.shift();
    }
    const wider = Math.max(
      isSure ? 0 : FIRST_COMPRESSION,
      compression * LINE_HEIGHT < MIN_LETTER_WIDTH * density ? compressionFor(density) : 0,
    );
    return wider > compression ? wider : null;
  }
}

const compressionFor = (density: number): number =>
  Math.min(MAX_COMPRESSION, Math.max(MIN_COMPRESSION, (LETTER_WIDTH * density) / LINE_HEIGHT));
