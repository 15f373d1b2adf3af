/** Passes streamed text through up to the first stop word; text that may become a stop word is held back. */
export class StopText {
  readonly #stops: readonly string[];
  #held = '';
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Adds a piece and returns the text that can be shown now. */
  push(piece: string): string {
    if (this.#stopped) return '';
    const text = this.#held + piece;
    const places = this.#stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
    if (places.length > 0) {
      this.#stopped = true;
      this.#held = '';
      return text.slice(0, Math.min(...places));
    }
    const held = Math.max(0, ...this.#stops.map((stop) => heldBack(text, stop)));
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** Returns the text held back, at the end of the stream. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

/** Returns the length of the longest suffix of the text that is a prefix of the stop word. */
function heldBack(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
