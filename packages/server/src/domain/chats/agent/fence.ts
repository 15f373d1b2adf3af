/**
 * Keeps what documents say apart from what the model is told: quoted text stands between two lines with a token that is
 * made anew for each request, so no document can close the fence. What a model may take for more than text is defused.
 */
import { randomBytes } from 'node:crypto';

export class Fence {
  readonly token: string;

  constructor(token = randomBytes(9).toString('hex')) {
    this.token = token;
  }

  get opening(): string {
    return `<<<${this.token}`;
  }

  get closing(): string {
    return `${this.token}>>>`;
  }

  /** The texts of documents as data; marks within them cannot be taken for ours. */
  around(text: string): string {
    return `${this.opening}\n${text}\n${this.closing}`;
  }
}

/**
 * Text of a document without what has a meaning for us or for a model: a footnote `[2]` becomes `(2)`, lest the model
 * copies it as a mark; the marks of chat templates (`<|im_start|>`, `[INST]`) fall apart.
 */
export function defuse(text: string): string {
  return text
    .replaceAll(/[[【](\s*\^?(?:sources?:?\s*)?\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*)[\]】]/giu, '($1)')
    .replaceAll(/<(\/?)(\||s>|start_of_turn|end_of_turn)/giu, '< $1$2')
    .replaceAll(/\[(\/?)INST\]/giu, '($1INST)')
    .replaceAll(/<<<|>>>/gu, '"');
}

/** As `defuse`, on one line: names and headings. */
export const defuseLine = (text: string): string => defuse(text).replaceAll(/\s+/gu, ' ').trim();
