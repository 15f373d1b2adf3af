/**
 * Splits reasoning from the answer for models that put it between `<think>` tags at the start. Later in an answer the
 * tag is text, for example a quotation.
 */
const OPEN = '<think>';
const CLOSE = '</think>';

export interface Piece {
  type: 'reasoning' | 'text';
  text: string;
}

/** Splits text that arrives in arbitrary parts. Emits each part as soon as its kind is clear. */
export class ThinkTags {
  #state: 'start' | 'reasoning' | 'after' | 'text' = 'start';
  #held = '';

  push(text: string): Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    while (this.#step(pieces));
    return pieces;
  }

  /** Returns the rest at the end of the text. */
  end(): Piece[] {
    const type = this.#state === 'reasoning' ? 'reasoning' : 'text';
    return this.#take(type, this.#held.length);
  }

  /** Returns whether another step may be possible without more text. */
  #step(pieces: Piece[]): boolean {
    if (this.#state === 'reasoning') {
      const close = this.#held.indexOf(CLOSE);
      if (close < 0) {
        pieces.push(...this.#take('reasoning', this.#held.length - tailOf(this.#held, CLOSE)));
        return false;
      }
      pieces.push(...this.#take('reasoning', close));
      this.#held = this.#held.slice(CLOSE.length);
      this.#state = 'after';
      return true;
    }
    if (this.#state === 'text') {
      pieces.push(...this.#take('text', this.#held.length));
      return false;
    }
    // Blank lines around the reasoning belong to neither part.
    const rest = this.#held.trimStart();
    if (this.#state === 'start' && OPEN.startsWith(rest.slice(0, OPEN.length))) {
      if (rest.length < OPEN.length) return false;
      this.#held = rest.slice(OPEN.length);
      this.#state = 'reasoning';
      return true;
    }
    if (this.#state === 'after') this.#held = rest;
    if (rest === '') return false;
    this.#state = 'text';
    return true;
  }

  #take(type: Piece['type'], length: number): Piece[] {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === '' ? [] : [{ type, text }];
  }
}

/** Returns the length of the end of the text that may be the start of the tag. */
function tailOf(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
