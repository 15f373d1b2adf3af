/**
 * The block tree: the output of every parser and the input of all later steps (CONTRACT section 4). Parsers return a
 * flat or partly nested list of `BlockDraft`s in reading order; `finishTree` nests headings into sections and numbers
 * the blocks.
 */
import type { ContentWarning } from './content-warning.ts';

export type BlockType =
  | 'section'
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'listItem'
  | 'table'
  | 'code'
  | 'quote'
  | 'figure'
  | 'caption'
  | 'formula'
  | 'footnote'
  | 'formField'
  | 'pageBreak';

/** `[x0, y0, x1, y1]` as fractions of the page from its top left corner. */
export type BoundingBox = readonly [number, number, number, number];

export interface TableCell {
  text: string;
  rowSpan: number;
  colSpan: number;
  header: boolean;
  links?: TextLink[];
  marks?: TextMark[];
  /** Position of the cell's words, for formats with a page layout; a joined table may continue on further pages. */
  page?: number;
  box?: BoundingBox;
  /** Line map of the text, if it has several lines. */
  lines?: TextLine[];
}

/** The position of one line of a block or a cell: it holds `[start, end)` of its text, in UTF-16 code units. */
export interface TextLine {
  start: number;
  end: number;
  page: number;
  box: BoundingBox;
}

/** A hyperlink over `[start, end)` of the block's or the cell's text, in UTF-16 code units. */
export interface TextLink {
  start: number;
  end: number;
  href: string;
}

export const MARK_KINDS = ['struck', 'raised', 'lowered', 'inserted'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/**
 * A mark over `[start, end)` of the block's or the cell's text, in UTF-16 code units. Struck words are part of the
 * text, but of nothing that is derived from it (`readableTree`). Raised and lowered digits and signs are superscript
 * and subscript characters of the text; letters stay as they are.
 */
export interface TextMark {
  start: number;
  end: number;
  kind: MarkKind;
}

export interface BlockContent {
  type: BlockType;
  /** Headings: 1 to 6. List items: nesting from 1. */
  level?: number;
  /** Plain text. Code keeps its line breaks, formulas are LaTeX, figures hold their alternative or recognised text. */
  text?: string;
  /** From 1, for formats with pages (slides and sheets count as pages). */
  page?: number;
  bbox?: BoundingBox;
  /** Line map of the text, in reading order, for formats with a page layout; a block may continue on the next page. */
  lines?: TextLine[];
  /**
   * Tables: rows of cells. A cell appears once, where it starts, as in HTML; positions covered by a span are omitted.
   */
  rows?: TableCell[][];
  /** Lists: whether they are numbered. */
  ordered?: boolean;
  /** Numbered lists: the first number if it is not 1. */
  start?: number;
  /** Code: the programming language. Other blocks: a BCP 47 tag if it differs from the document's. */
  language?: string;
  links?: TextLink[];
  /** Ordered by start; two marks of one kind do not overlap. */
  marks?: TextMark[];
}

export interface BlockDraft extends BlockContent {
  children?: BlockDraft[];
}

export interface Block extends BlockContent {
  /** Unique in the document: `b1`, `b2`, … in reading order. */
  id: string;
  children?: Block[];
}

/** The result of parsing one file. */
export interface ParsedContent {
  blocks: BlockDraft[];
  /** Number of pages, slides or sheets; null for formats without them. */
  pageCount: number | null;
  title: string | null;
  /** BCP 47 primary language that the file declares; used if the language cannot be detected from the text. */
  language?: string | null;
  /** Whether the blocks describe the file and hold none of its text; then no language is detected. */
  isDescription?: boolean;
  warnings: ContentWarning[];
}

/** The finished document, stored as one gzipped JSON artifact. */
export interface DocumentTree {
  version: 1;
  title: string | null;
  /** BCP 47 primary language; null if unknown. */
  language: string | null;
  pageCount: number | null;
  warnings: ContentWarning[];
  blocks: Block[];
}
