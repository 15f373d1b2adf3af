/**
 * Separates document text from instructions by two lines with a random token of the request, so no document can close
 * the fence. Character sequences that a model may interpret are defused.
 */
import { randomBytes } from 'node:crypto';
import { StopText } from './stop-text.ts';

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

  /**
   * Ends a text of the model at a line of the fence: a model that writes one is repeating its input, and readers must
   * not see the token.
   */
  stopText(): StopText {
    return new StopText([this.opening, this.closing]);
  }

  /** Puts the text between the two lines of the fence. */
  around(text: string): string {
    return `${this.opening}\n${text}\n${this.closing}`;
  }
}

/**
 * Rewrites sequences that have a meaning for the model or for citations: a footnote `[2]` becomes `(2)`, so that the
 * model cannot copy it as a mark, and tokens of chat templates (`<|im_start|>`, `[INST]`) are broken up.
 */
export function defuse(text: string): string {
  return text
    .replaceAll(/[[【](\s*\^?(?:sources?:?\s*)?\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*)[\]】]/giu, '($1)')
    .replaceAll(/<(\/?)(\||s>|start_of_turn|end_of_turn)/giu, '< $1$2')
    .replaceAll(/\[(\/?)INST\]/giu, '($1INST)')
    .replaceAll(/<<<|>>>/gu, '"');
}

/** Defuses names and headings, and puts them on one line. */
export const defuseLine = (text: string): string => defuse(text).replaceAll(/\s+/gu, ' ').trim();
