/**
 * Marks text of documents as data: it is put between two lines with a random token, which no document can contain, and
 * sequences that resemble such a line or the chat template of a model are broken up.
 */
import { breakUp } from '@quire/process/document-text/quoted-name';
import { Fence } from '../../domain/chats/agent/fence.ts';

export class QuotedText {
  readonly #fence = new Fence();

  around(text: string): string {
    return this.#fence.around(breakUp(text));
  }
}

/** Tokens that the two lines of a fence cost at most in JSON. */
export const FENCE_TOKENS = 40;
