/**
 * Finds the marks of sources in a text that comes in pieces: `[2]`, `[1, 3]`, `[^2]`, `[Source 2]`, `【2】`. What may
 * become a mark with the next piece is held back until it is one or cannot be one.
 */
export type MarkedPiece =
  | { type: 'text'; text: string }
  /** `lead`: the white space before it, which goes when the mark goes. */
  | { type: 'mark'; lead: string; numbers: number[] };

/** Longer than any mark: a bracket that is still open after so much text opens no mark. */
const LONGEST = 48;

const NUMBERS = String.raw`\d{1,4}(?:\s*(?:,|;|&|and)\s*(?:source\s*)?\d{1,4})*`;
/** A mark that brackets or a round bracket follow is a link of Markdown. */
const MARK = new RegExp(
  String.raw`(?<![ \t])([ \t]*)[[【]\s*\^?(?:sources?:?\s*)?(${NUMBERS})(?:†[^[\]【】\n]*)?\s*[\]】](?!\()`,
  'iu',
);
/** White space at the end, or a bracket there that may yet become a mark, or a mark of which the next letter decides. */
const UNDECIDED = /(?<![ \t])[ \t]*(?:[[【][\^\d\s,;&:†a-z]*[\]】]?)?$/iu;

export class MarkReader {
  #held = '';

  push(piece: string): MarkedPiece[] {
    const text = this.#held + piece;
    const undecided = UNDECIDED.exec(text)?.[0] ?? '';
    const held = undecided.length > LONGEST ? '' : undecided;
    this.#held = held;
    return split(text.slice(0, text.length - held.length));
  }

  /** What was held back, at the end of the text. */
  end(): MarkedPiece[] {
    const rest = this.#held;
    this.#held = '';
    return split(rest);
  }
}

function split(text: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let rest = text;
  for (let match = MARK.exec(rest); match !== null; match = MARK.exec(rest)) {
    if (match.index > 0) pieces.push({ type: 'text', text: rest.slice(0, match.index) });
    const numbers = Array.from(match[2]?.matchAll(/\d+/gu) ?? [], ([digits]) => Number(digits));
    pieces.push({ type: 'mark', lead: match[1] ?? '', numbers: [...new Set(numbers)] });
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest !== '') pieces.push({ type: 'text', text: rest });
  return pieces;
}
