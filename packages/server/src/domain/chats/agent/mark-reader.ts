/**
 * Finds source marks in streamed text: `[2]`, `[1, 3]`, `[^2]`, `[Source 2]`, `【2】`. Text that may become a mark with
 * the next piece is held back until that is decided.
 */
export type MarkedPiece =
  | { type: 'text'; text: string }
  /** `lead` is the white space before the mark, which is dropped with it. */
  | { type: 'mark'; lead: string; numbers: number[] };

/** Maximum length of a mark: a bracket that stays open longer opens none. */
const MAX_MARK_LENGTH = 48;

const NUMBERS = String.raw`\d{1,4}(?:\s*(?:,|;|&|and)\s*(?:source\s*)?\d{1,4})*`;
/** Brackets that a round bracket follows are a Markdown link, not a mark. */
const MARK = new RegExp(
  String.raw`(?<![ \t])([ \t]*)[[【]\s*\^?(?:sources?:?\s*)?(${NUMBERS})(?:†[^[\]【】\n]*)?\s*[\]】](?!\()`,
  'iu',
);
/** Trailing white space, an unfinished mark, or a mark that the next character may turn into a link. */
const UNDECIDED = /(?<![ \t])[ \t]*(?:[[【][\^\d\s,;&:†a-z]*[\]】]?)?$/iu;

export class MarkReader {
  #held = '';

  push(piece: string): MarkedPiece[] {
    const text = this.#held + piece;
    const undecided = UNDECIDED.exec(text)?.[0] ?? '';
    const held = undecided.length > MAX_MARK_LENGTH ? '' : undecided;
    this.#held = held;
    return split(text.slice(0, text.length - held.length));
  }

  /** Returns the text held back, at the end of the stream. */
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
