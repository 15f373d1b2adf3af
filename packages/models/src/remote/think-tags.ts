/**
 * Models without a field for their reasoning put it first, between `<think>` tags. Only there: later in an answer the
 * tag is text, say a quotation.
 */
const OPEN = '<think>';
const CLOSE = '</think>';

export interface Piece {
  type: 'reasoning' | 'text';
  text: string;
}

/** Splits text that comes in parts, wherever they are cut. Parts come out as early as it is clear what they are. */
export class ThinkTags {
  #state: 'start' | 'reasoning' | 'after' | 'text' = 'start';
  #held = '';

  push(text: string): Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    while (this.#step(pieces));
    return pieces;
  }

  /** What was held back, when nothing comes any more. */
  end(): Piece[] {
    const type = this.#state === 'reasoning' ? 'reasoning' : 'text';
    return this.#take(type, this.#held.length);
  }

  /** Whether there may be more to do at once. */
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
    // Blank lines before and after the reasoning belong to neither.
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

/** How much of the end may be the beginning of the tag. */
function tailOf(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
