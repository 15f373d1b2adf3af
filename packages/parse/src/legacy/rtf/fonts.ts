import { codePageOfCharacterSet } from './character-sets.ts';

export interface RtfFont {
  /** Undefined for the document's own. */
  codePage: string | undefined;
  symbol: boolean;
}

/** The font table: which code page the bytes of each font are in. */
export class RtfFonts {
  /** The font of text without one. */
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
