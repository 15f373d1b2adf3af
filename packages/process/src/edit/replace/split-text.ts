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

/** A range of a piece's text, and what is written in its place. */
interface Cut {
  from: number;
  to: number;
  written: string;
}

/** Returns each piece's text after the replacement, in time linear in pieces, matches and texts. */
function newTexts({ pieces }: SplitText, matches: readonly Match[]): string[] {
  const starts = startsOf(pieces);
  const cuts = new Map<number, Cut[]>();
  const cut = (index: number, { start, end }: Match, written: string): void => {
    const length = pieces[index]?.text.length ?? 0;
    const from = clamp(start - (starts[index] ?? 0), length);
    const to = Math.max(from, clamp(end - (starts[index] ?? 0), length));
    const known = cuts.get(index);
    if (known === undefined) cuts.set(index, [{ from, to, written }]);
    else known.push({ from, to, written });
  };
  const holders = new Holders(pieces);
  // The first piece that ends after the present match begins; matches are in order and do not overlap.
  let first = 0;
  for (const match of matches) {
    while (first < pieces.length && endOf(pieces, starts, first) <= match.start) first += 1;
    let last = first;
    while (last < pieces.length && (starts[last] ?? 0) < match.end) last += 1;
    const holder = holders.of(first, last);
    if (holder >= 0 && holder < first) cut(holder, match, match.replacement);
    for (let index = first; index < last; index += 1) cut(index, match, index === holder ? match.replacement : '');
    if (holder >= last) cut(holder, match, match.replacement);
  }
  return pieces.map(({ text }, index) => rewritten(text, cuts.get(index) ?? []));
}

function startsOf(pieces: readonly Piece[]): number[] {
  let length = 0;
  return pieces.map(({ text }) => {
    const start = length;
    length += text.length;
    return start;
  });
}

const endOf = (pieces: readonly Piece[], starts: readonly number[], index: number): number =>
  (starts[index] ?? 0) + (pieces[index]?.text.length ?? 0);

function rewritten(text: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return text;
  const parts: string[] = [];
  let position = 0;
  for (const { from, to, written } of cuts) {
    parts.push(text.slice(position, from), written);
    position = to;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

const clamp = (position: number, length: number): number => Math.min(Math.max(0, position), length);

/** Finds the piece that receives a replacement. */
class Holders {
  /** For each position, the nearest piece that can hold text before it and from it on; -1 for none. */
  readonly #before: number[] = [];
  readonly #from: number[] = [];

  constructor(pieces: readonly Piece[]) {
    let latest = -1;
    for (const [index, { encode }] of pieces.entries()) {
      this.#before.push(latest);
      if (encode !== undefined) latest = index;
    }
    this.#before.push(latest);
    let next = -1;
    for (let index = pieces.length - 1; index >= 0; index -= 1) {
      if (pieces[index]?.encode !== undefined) next = index;
      this.#from[index] = next;
    }
  }

  /**
   * Returns the first of the matched pieces `[first, last)` that can hold text, otherwise the nearest one before or
   * after them, otherwise -1.
   */
  of(first: number, last: number): number {
    const next = this.#from[first] ?? -1;
    if (next >= 0 && next < last) return next;
    const before = this.#before[first] ?? -1;
    return before >= 0 ? before : next;
  }
}

/** Adds the edits of one text to those of a part. */
export function addEdits(all: TextEdits, { edits, changes }: TextEdits): void {
  // A part may have more edits than a call takes arguments.
  for (const edit of edits) all.edits.push(edit);
  all.changes += changes;
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
