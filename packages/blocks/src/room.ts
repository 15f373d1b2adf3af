import { ContentError } from './content-error.ts';

/** Counts the length of a rendering while it is made, so that it ends before it takes too much memory. */
export class Room {
  readonly #maxLength: number;
  #left: number;

  /** `maxLength` is in UTF-16 units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#left = maxLength;
  }

  /** Counts a part of the rendering and returns it. Throws `ContentError` `too_large` if there is no room for it. */
  take(part: string, counted = 0): string {
    this.#left -= part.length - counted;
    if (this.#left >= 0) return part;
    throw new ContentError('too_large', `The rendering is longer than ${this.#maxLength} characters`);
  }
}
