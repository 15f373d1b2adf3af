import { codePageOfCharacterSet } from './character-sets.ts';

export interface RtfFont {
  /** Code page of the font; undefined for the document's own. */
  codePage: string | undefined;
  symbol: boolean;
}

/** The font table, which states the code page of each font's bytes. */
export class RtfFonts {
  /** Number of the default font. */
  defaultNumber = 0;
  readonly #fonts = new Map<number, RtfFont>();
  #current = 0;

  word(name: string, value: number | undefined): void {
    if (name === 'f') {
      this.#current = value ?? 0;
      this.#fonts.set(this.#current, { codePage: undefined, symbol: false });
    } else if (name === 'fcharset') {
      this.#fonts.set(this.#current, { codePage: codePageOfCharacterSet(value ?? 0), symbol: value === 2 });
    }
  }

  find(number: number): RtfFont | undefined {
    return this.#fonts.get(number);
  }
}
