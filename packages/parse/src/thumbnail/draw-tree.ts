/**
 * Draws a thumbnail from the block tree: the beginning of the document as an SVG page, rendered by sharp. The layout
 * uses estimated letter widths, which is precise enough at this size.
 */
import sharp from 'sharp';
import type { BlockContent } from '@quire/blocks/block';
import { FONT_FAMILY, useShippedFonts } from './fonts.ts';
import { cutToWidth, isRightToLeft, wrapText } from './text-width.ts';

/** The common shape of a parser's drafts and of a stored tree. */
export interface DrawableBlock extends BlockContent {
  children?: readonly DrawableBlock[];
}

export interface DrawOptions {
  /** Length of the longer side, in pixels. */
  maxSide: number;
  /** True for slides; all other pages are upright. */
  landscape?: boolean;
  /** Directory for the font configuration file. */
  tempDir: string;
}

/** Returns a WebP. A document without text gives an empty page. */
export async function drawTree(blocks: readonly DrawableBlock[], options: DrawOptions): Promise<Buffer> {
  await useShippedFonts(options.tempDir);
  const sheet = new Sheet(options.landscape === true);
  sheet.drawAll(blocks, 0);
  return sharp(Buffer.from(sheet.toSvg(options.maxSide)))
    .webp({ quality: 78, effort: 2 })
    .toBuffer();
}

interface TextStyle {
  size: number;
  bold?: boolean;
  italic?: boolean;
  colour?: string;
  indent?: number;
  /** A list marker to the left of the first line. */
  marker?: string;
}

const LONG = 842;
const SHORT = 595;
const SLIDE_SHORT = 474;
const MARGIN = 44;
const BODY = 14;
const LEADING = 1.35;
const HEADINGS = [26, 21, 18, 16, 15, 14];
const GREY = '#667';
const MAX_COLUMNS = 8;
const MAX_CELL_LINES = 2;

class Sheet {
  private readonly width: number;
  private readonly height: number;
  private readonly parts: string[] = [];
  private y = MARGIN;
  private ended = false;

  constructor(landscape: boolean) {
    this.width = landscape ? LONG : SHORT;
    this.height = landscape ? SLIDE_SHORT : LONG;
  }

  drawAll(blocks: readonly DrawableBlock[], depth: number): void {
    for (const block of blocks) {
      if (this.full()) return;
      if (block.type === 'pageBreak' || (block.page ?? 1) > 1) this.ended = this.parts.length > 0;
      if (!this.ended) this.draw(block, depth);
    }
  }

  toSvg(maxSide: number): string {
    const scale = maxSide / LONG;
    const size = `width="${Math.round(this.width * scale)}" height="${Math.round(this.height * scale)}"`;
    const box = `viewBox="0 0 ${this.width} ${this.height}"`;
    const style = `font-family="${FONT_FAMILY}, sans-serif" fill="#223"`;
    const paper = `<rect width="${this.width}" height="${this.height}" fill="#fff" stroke="none"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${box} ${style}>${paper}${this.parts.join('')}</svg>`;
  }

  private full(): boolean {
    return this.ended || this.y > this.height - MARGIN;
  }

  private draw(block: DrawableBlock, depth: number): void {
    const { children = [], text = '' } = block;
    if (block.type === 'table') this.table(block.rows ?? []);
    else if (block.type === 'list') this.list(block);
    else if (block.type === 'heading') this.heading(text, block.level ?? 1);
    else if (block.type === 'code') this.code(text);
    else if (block.type === 'quote') this.text(text, { size: BODY, italic: true, colour: GREY, indent: 18 });
    else if (block.type === 'figure') this.figure(text);
    else if (text !== '') this.text(text, { size: BODY, indent: depth * 18 });
    if (block.type !== 'list') this.drawAll(children, block.type === 'listItem' ? depth + 1 : depth);
  }

  private heading(text: string, level: number): void {
    const size = HEADINGS[level - 1] ?? BODY;
    if (this.y > MARGIN) this.y += size * 0.4;
    this.text(text, { size, bold: true });
  }

  private list(block: DrawableBlock): void {
    let number = block.start ?? 1;
    for (const item of block.children ?? []) {
      const indent = 18 * (item.level ?? 1);
      this.text(item.text ?? '', { size: BODY, indent, marker: block.ordered === true ? `${number}.` : '•' });
      number += 1;
      for (const inner of item.children ?? []) this.draw(inner, item.level ?? 1);
    }
  }

  private code(text: string): void {
    const lines = text.split('\n').slice(0, 30);
    const height = lines.length * 12 * LEADING + 10;
    this.parts.push(
      `<rect x="${MARGIN}" y="${this.y}" width="${this.width - 2 * MARGIN}" height="${height}" fill="#f2f3f6"/>`,
    );
    this.y += 5;
    for (const line of lines) this.line(cutToWidth(line, 12, this.width - 2 * MARGIN - 16), MARGIN + 8, { size: 12 });
    this.y += 5 + BODY * 0.5;
  }

  private figure(text: string): void {
    const height = 90;
    const box = `x="${MARGIN}" y="${this.y}" width="${this.width - 2 * MARGIN}" height="${height}"`;
    this.parts.push(`<rect ${box} fill="#e9ecf1"/>`);
    const after = this.y + height + BODY * 0.6;
    this.y += 10;
    this.text(text.slice(0, 200), { size: 12, colour: GREY, indent: 12 });
    this.y = Math.max(this.y, after);
  }

  private table(rows: NonNullable<DrawableBlock['rows']>): void {
    const columns = Math.min(MAX_COLUMNS, Math.max(1, ...rows.map((row) => row.length)));
    const cellWidth = (this.width - 2 * MARGIN) / columns;
    for (const row of rows) {
      if (this.full()) return;
      const cells = row
        .slice(0, columns)
        .map((cell) => wrapText(cell.text, 11, cellWidth - 8).slice(0, MAX_CELL_LINES));
      const height = Math.max(1, ...cells.map((lines) => lines.length)) * 11 * LEADING + 6;
      const top = this.y;
      cells.forEach((lines, column) => {
        const x = MARGIN + column * cellWidth;
        const header = row[column]?.header === true;
        const fill = header ? '#eef0f4' : '#fff';
        this.parts.push(
          `<rect x="${x}" y="${top}" width="${cellWidth}" height="${height}" fill="${fill}" stroke="#c5c9d2"/>`,
        );
        this.y = top + 2;
        for (const line of lines) this.line(line, x + 4, { size: 11, bold: header });
      });
      this.y = top + height;
    }
    this.y += BODY * 0.7;
  }

  private text(text: string, style: TextStyle): void {
    const left = MARGIN + (style.indent ?? 0);
    if (style.marker !== undefined) this.parts.push(span(style.marker, left - 16, this.y + style.size, style, 'start'));
    const flowing = text.slice(0, 4000).replaceAll(/\s+/g, ' ').trim();
    for (const line of wrapText(flowing, style.size, this.width - MARGIN - left)) {
      if (this.full()) return;
      this.line(line, left, style);
    }
    this.y += style.size * 0.5;
  }

  private line(text: string, left: number, style: TextStyle): void {
    const rightToLeft = isRightToLeft(text);
    const x = rightToLeft ? this.width - MARGIN : left;
    this.parts.push(span(text, x, this.y + style.size, style, rightToLeft ? 'end' : 'start'));
    this.y += style.size * LEADING;
  }
}

function span(text: string, x: number, y: number, style: TextStyle, anchor: 'start' | 'end'): string {
  const weight = style.bold === true ? ' font-weight="700"' : '';
  const slant = style.italic === true ? ' font-style="italic"' : '';
  const colour = style.colour === undefined ? '' : ` fill="${style.colour}"`;
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${style.size}" text-anchor="${anchor}"`;
  return `<text ${place}${weight}${slant}${colour}>${escapeText(text)}</text>`;
}

/** Replaces control characters and lone surrogates, which XML does not allow even in escaped form. */
function escapeText(text: string): string {
  const printable = text.replaceAll(/[^\P{C}\t]/gu, ' ');
  return printable.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
