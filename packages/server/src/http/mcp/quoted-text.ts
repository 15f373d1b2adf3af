/**
 * Marks text of documents as data: it is put between two lines with a random token, which no document can contain, and
 * sequences that resemble such a line or the chat template of a model are broken up.
 */
import { Fence } from '../../domain/chats/agent/fence.ts';

const MAX_NAME_CHARACTERS = 200;

export class QuotedText {
  readonly #fence = new Fence();

  around(text: string): string {
    return this.#fence.around(breakUp(text));
  }
}

/** Tokens that the two lines of a fence cost at most in JSON. */
export const FENCE_TOKENS = 40;

const breakUp = (text: string): string =>
  text
    .replaceAll('<<<', '‹‹‹')
    .replaceAll('>>>', '›››')
    .replaceAll(/<(\/?)(\||s>|start_of_turn|end_of_turn)/giu, '< $1$2')
    .replaceAll(/\[(\/?)INST\]/giu, '($1INST)');

/** Puts a name or a heading on one line of at most 200 characters, without control characters. */
export function quotedName(name: string): string {
  const line = breakUp(name)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length <= MAX_NAME_CHARACTERS
    ? line
    : `${line.slice(0, MAX_NAME_CHARACTERS - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
