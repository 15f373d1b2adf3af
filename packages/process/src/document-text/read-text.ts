/** Reads a part of a document as Markdown within a number of tokens, with its outline if requested. */
import type { DocumentTree } from '@quire/blocks/block';
import { readableTree } from '@quire/blocks/readable-tree';
import {
  outlineOf,
  pageRange,
  positionOf,
  read,
  sectionRange,
  textParts,
  wholeRange,
  type OutlineEntry,
  type TextPart,
  type TextRange,
} from './document-text.ts';
import { quotedName } from './quoted-name.ts';
import { countJson, leadingWithin } from './token-budget.ts';

/** `blockIds`: from the first part that holds one of the blocks, or from the start if there is none. */
export type TextPlace = { section: string } | { page: number } | { range: TextRange } | { blockIds: readonly string[] };

export interface TextRequest {
  /** Null for the start of the document. */
  place: TextPlace | null;
  /** Whether to read the whole document instead of the place if it fits. */
  preferWhole: boolean;
  /** Maximum number of tokens of the answer with its frame. */
  tokens: number;
  /** The answer without the text and a requested outline. */
  frame: object;
  /** Maximum number of tokens of the outline; null for none. */
  outlineTokens: number | null;
}

export interface TextReading {
  text: string;
  /** First and last page of the text; null without pages. */
  pages: [number, number] | null;
  /** The range that follows; null at the end. */
  rest: TextRange | null;
  /** Whether the text is the whole document. */
  isWhole: boolean;
  /** Leading headings, with titles on one line; null if not requested. */
  outline: OutlineEntry[] | null;
  outlineComplete: boolean;
}

/** Returns null if the document has no such section or no text on the page. */
export function readText(tree: DocumentTree, request: TextRequest): TextReading | null {
  const parts = textParts(readableTree(tree));
  const outline = outlineWithin(parts, request.outlineTokens);
  const tokens =
    request.tokens - countJson(outline.outline === null ? request.frame : { ...request.frame, ...outline });
  const readRange = (range: TextRange, whole: boolean): TextReading => {
    const { text, pages, next } = read(parts, range, tokens);
    const rest = next === null ? null : { from: next, end: range.end };
    return { text, pages, rest, isWhole: whole && rest === null, ...outline };
  };
  const start = wholeRange(parts);
  if (request.preferWhole) {
    const reading = readRange(start, true);
    if (reading.isWhole || request.place === null) return reading;
  }
  const range = request.place === null ? start : rangeOf(parts, request.place);
  return range === undefined ? null : readRange(range, range === start);
}

function rangeOf(parts: readonly TextPart[], place: TextPlace): TextRange | undefined {
  if ('section' in place) return sectionRange(parts, place.section);
  if ('page' in place) return pageRange(parts, place.page);
  if ('range' in place) return place.range;
  const from = positionOf(parts, place.blockIds);
  return from === undefined ? wholeRange(parts) : { from, end: parts.length };
}

function outlineWithin(
  parts: readonly TextPart[],
  tokens: number | null,
): Pick<TextReading, 'outline' | 'outlineComplete'> {
  if (tokens === null) return { outline: null, outlineComplete: true };
  const entries = outlineOf(parts).map((entry) => ({ ...entry, title: quotedName(entry.title) }));
  const outline = leadingWithin(entries, tokens);
  return { outline, outlineComplete: outline.length === entries.length };
}
