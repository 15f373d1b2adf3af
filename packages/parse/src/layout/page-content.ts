/**
 * What the layout works on: the words, rules, pictures, links and fields of one page, however they were read
 * (PDF text or OCR). All boxes are in points in the page's reading frame: when most of the text stands on its side,
 * the reading frame is turned with it, and `turn` says how to get back to the page as it is shown.
 */
import type { BoundingBox } from '@quire/blocks/block';
import type { Box } from './geometry.ts';

export interface FontStyle {
  name: string;
  bold: boolean;
  italic: boolean;
  monospace: boolean;
}

/** The element of a tagged file that a word belongs to: one object an element. */
export interface Tag {
  /** 1..6 for headings, 0 for everything else. */
  level: number;
}

export interface Word extends Box {
  text: string;
  baseline: number;
  /** Height of a line of its font in points, ascent to descent: 1 to 1.25 times the nominal size. */
  size: number;
  /** Nominal font size in points, where it is known. */
  em?: number;
  /** In tagged files, for what is no artifact. */
  tag?: Tag;
  style: FontStyle;
  /** No space between this word and the one before it (a change of font, a raised figure). */
  glued: boolean;
  /** Of one line with the word before it, however far away that stands; only recognised words know. */
  sameLine?: boolean;
  /** Degrees, clockwise, against the reading frame: 0 for all but stray text. */
  angle: number;
}

/** A horizontal or vertical line drawn on the page, or the edge of a drawn rectangle. */
export interface Rule {
  horizontal: boolean;
  /** y of a horizontal rule, x of a vertical one. */
  at: number;
  from: number;
  to: number;
}

/** A rectangle filled with a colour other than white. */
export interface FilledArea extends Box {
  colour: number;
}

export interface PagePicture extends Box {
  /** What a tagged file says in its place. */
  alternative?: string;
}

export interface PageLink extends Box {
  href: string;
}

export interface PageField extends Box {
  kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'button' | 'signature';
  label: string;
  value: string;
}

export interface PageContent {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  /** Quarter turns clockwise from the page as shown to the reading frame. */
  turn: 0 | 1 | 2 | 3;
  /** In the order in which the page draws them. */
  words: Word[];
  rules: Rule[];
  fills: FilledArea[];
  images: PagePicture[];
  /** Curves and slanted lines: what charts and drawings are made of. */
  strokes: Box[];
  links: PageLink[];
  fields: PageField[];
  /** Where a box of the reading frame lies on the page as it is shown, when there is more to it than `turn`. */
  shownBox?: (box: Box) => BoundingBox;
  /** What is missing of its text, and why: a sentence whose subject is the page. */
  notice?: string;
}
