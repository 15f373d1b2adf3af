/**
 * Bounds what an edit may write. Operations can multiply a small file (a long replacement of a frequent letter, a row
 * for each element of a list, a split into overlapping ranges), so texts are counted before they are built.
 */
import { ContentError } from '@quire/blocks/content-error';

/** Number of bytes that an edit of any file may write. */
const MIN_BYTES = 32 * 1024 ** 2;
/** An edit of a large file may write so many times its size, up to the maximum size of a file. */
const GROWTH = 20;
/** Rewriting may take another compression, so this much is allowed for every file. */
const REWRITTEN = 2;

/** Returns the number of bytes that an edit of files with this total size may write. */
export const outputLimit = (sizeBytes: number, maxFileBytes: number): number =>
  Math.max(REWRITTEN * sizeBytes, Math.min(maxFileBytes, Math.max(MIN_BYTES, GROWTH * sizeBytes)));

export class OutputBudget {
  readonly #maxBytes: number;
  #spent = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts the length of a text that an operation inserts. Throws `too_large` when the texts exceed the budget. */
  insert(length: number): void {
    this.#spent += length;
    this.requireWithin(this.#spent);
  }

  /** Throws `too_large` for outputs of more bytes than the budget. */
  requireWithin(bytes: number): void {
    if (bytes <= this.#maxBytes) return;
    throw new ContentError('too_large', `The edit would write more than the limit of ${this.#maxBytes} bytes`);
  }
}
