/**
 * Input of the layout analysis: words, rules, pictures, links and fields of one page, from PDF text or from OCR. All
 * boxes are in points of the page's reading frame. If most text is rotated, the reading frame is rotated with it, and
 * `turn` leads back to the displayed page.
 */
import type { BoundingBox } from '@quire/blocks/block';
import type { Recognition } from '../../ocr/page-warnings.ts';
import type { Box } from '../geometry.ts';

export interface FontStyle {
  name: string;
  bold: boolean;
  italic: boolean;
  monospace: boolean;
}

/** Structure element of a tagged file that contains a word; one object per element. */
export interface Tag {
  /** 1..6 for headings, 0 for everything else. */
  level: number;
}

export interface Word extends Box {
  text: string;
  baseline: number;
  /** Line height of the font in points, ascent to descent: 1 to 1.25 times the nominal size. */
  size: number;
  /** Nominal font size in points, if known. */
  em?: number;
  /** Structure element, in tagged files, of content that is not an artifact. */
  tag?: Tag;
  style: FontStyle;
  /** Whether the word follows the previous one without a space (a change of font, a superscript). */
  glued: boolean;
  /** Whether the word is on the line of the previous word at any distance; only set for recognised words. */
  sameLine?: boolean;
  /** Clockwise rotation against the reading frame in degrees: 0 for normal text. */
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
  /** Alternative text from a tagged file. */
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
  /** Page number, from 1. */
  number: number;
  width: number;
  height: number;
  /** Clockwise quarter turns from the displayed page to the reading frame. */
  turn: 0 | 1 | 2 | 3;
  /** Words in drawing order. */
  words: Word[];
  rules: Rule[];
  fills: FilledArea[];
  images: PagePicture[];
  /** Curves and slanted lines, the parts of charts and drawings. */
  strokes: Box[];
  links: PageLink[];
  fields: PageField[];
  /** Maps a box of the reading frame to the displayed page, if `turn` alone does not. */
  displayBox?: (box: Box) => BoundingBox;
  /** Set for a page that OCR has read. */
  recognition?: Recognition;
}
