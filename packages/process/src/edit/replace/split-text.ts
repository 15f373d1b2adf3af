/**
 * A text that is split into pieces of a source, such as the runs of a paragraph. Readers find the split texts of a
 * source. A replacement is matched against the joined text and returned as edits of the source, so that markup between
 * the pieces and pieces without a match stay byte for byte.
 */
import type { MatchFinder, Match } from './match-finder.ts';

export interface Piece {
  /** `[start, end)` of the source that an edit of this piece replaces. */
  start: number;
  end: number;
  /** The text that the piece represents. */
  text: string;
  /** Encodes a new text as source. Absent for a piece that can only be removed, such as a tab or a line break. */
  encode?: (text: string) => Encoded;
}

/** The piece's new source, with further edits that it requires, such as an attribute of the element around it. */
export interface Encoded {
  source: string;
  also?: readonly SourceEdit[];
}

export interface SourceEdit {
  start: number;
  end: number;
  source: string;
}

export interface SplitText {
  pieces: Piece[];
  /**
   * Whether this is a second copy of another text, such as a fallback for old programs. It is edited too, but not
   * counted.
   */
  copy?: boolean;
}

export const joinedText = (splitText: SplitText): string => splitText.pieces.map((piece) => piece.text).join('');

export interface TextEdits {
  edits: SourceEdit[];
  /** Number of matches replaced. */
  changes: number;
}

/** Replaces the matches. A replacement is written into the first matched piece that can hold text. */
export function replaceInText(splitText: SplitText, find: MatchFinder): TextEdits {
  const writable = splitText.pieces.some((piece) => piece.encode !== undefined);
  const matches = writable ? find(joinedText(splitText)) : [];
  if (matches.length === 0) return { edits: [], changes: 0 };
  const edits: SourceEdit[] = [];
  const texts = newTexts(splitText, matches);
  splitText.pieces.forEach((piece, index) => {
    const text = texts[index];
    if (text === undefined || text === piece.text) return;
    const encoded = piece.encode?.(text) ?? { source: '' };
    edits.push({ start: piece.start, end: piece.end, source: encoded.source }, ...(encoded.also ?? []));
  });
  return { edits, changes: splitText.copy === true ? 0 : matches.length };
}

/** Returns each piece's text after the replacement. */
function newTexts(splitText: SplitText, matches: readonly Match[]): string[] {
  const starts: number[] = [];
  let length = 0;
  for (const piece of splitText.pieces) {
    starts.push(length);
    length += piece.text.length;
  }
  const texts = splitText.pieces.map((piece) => piece.text);
  // From the end, so that earlier positions stay valid.
  for (const match of matches.toReversed()) {
    const holder = holderOf(splitText, starts, match);
    for (let index = splitText.pieces.length - 1; index >= 0; index -= 1) {
      const start = starts[index] ?? 0;
      const original = splitText.pieces[index]?.text ?? '';
      const from = Math.max(match.start, start) - start;
      const to = Math.min(match.end, start + original.length) - start;
      if (index !== holder && from >= to) continue;
      const text = texts[index] ?? '';
      const written = index === holder ? match.replacement : '';
      const [cutFrom, cutTo] = from < to ? [from, to] : [clamp(from, original.length), clamp(from, original.length)];
      texts[index] = text.slice(0, cutFrom) + written + text.slice(cutTo);
    }
  }
  return texts;
}

const clamp = (position: number, length: number): number => Math.min(Math.max(0, position), length);

/**
 * Returns the first matched piece that can hold text, otherwise the nearest one before or after the match, otherwise
 * -1.
 */
function holderOf(splitText: SplitText, starts: readonly number[], match: Match): number {
  let before = -1;
  for (const [index, piece] of splitText.pieces.entries()) {
    if (piece.encode === undefined) continue;
    const start = starts[index] ?? 0;
    const end = start + piece.text.length;
    if (end > match.start && start < match.end) return index;
    if (end <= match.start) before = index;
    else return before >= 0 ? before : index;
  }
  return before;
}

/** Applies the edits, which may be in any order and must not overlap. */
export function applyEdits(source: string, edits: readonly SourceEdit[]): string {
  if (edits.length === 0) return source;
  const parts: string[] = [];
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < position) continue;
    parts.push(source.slice(position, edit.start), edit.source);
    position = edit.end;
  }
  parts.push(source.slice(position));
  return parts.join('');
}
