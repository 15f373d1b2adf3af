/**
 * Text that is spread over pieces of a source: the runs of a paragraph, the spans of a line. A reader finds the texts
 * of a source; a replacement works on a splitText's joined text and comes back as edits of the source, so that everything
 * between the pieces, and every piece that a match does not touch, stays as it is to the byte.
 */
import type { MatchFinder, Match } from './match-finder.ts';

export interface Piece {
  /** `[start, end)` of the source: what an edit of this piece replaces. */
  start: number;
  end: number;
  /** The text that it stands for. */
  text: string;
  /** What is written into the source for a new text; absent: the piece (a tab, a line break) can only be taken away. */
  encode?: (text: string) => Encoded;
}

/** The piece's new source, and edits elsewhere that it asks for (an attribute of the element around it). */
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
  /** A second copy of what another splitText shows (a fallback for old programs): changed with it, not counted. */
  copy?: boolean;
}

export const joinedText = (splitText: SplitText): string => splitText.pieces.map((piece) => piece.text).join('');

export interface TextEdits {
  edits: SourceEdit[];
  /** Matches replaced. */
  changes: number;
}

/** The replacement stands in the first piece that the match touches and that can hold text. */
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

/** Each piece's text after the replacement; the joined texts are the replacement of the joined text. */
function newTexts(splitText: SplitText, matches: readonly Match[]): string[] {
  const starts: number[] = [];
  let length = 0;
  for (const piece of splitText.pieces) {
    starts.push(length);
    length += piece.text.length;
  }
  const texts = splitText.pieces.map((piece) => piece.text);
  // From the end, so that positions before a match stay good.
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

/** The first touched piece that can hold text; else the nearest before or after the match; else none can. */
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

/** Edits may come in any order and must not overlap. */
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
