/** Converts page layouts to blocks: joins paragraphs over pages and sets heading levels, tables, figures and links. */
import type { BlockDraft, BoundingBox, TableCell } from '@quire/blocks/block';
import { withInlineFormulas } from '../formulas/inline-formulas.ts';
import { holdsCentre, type Box } from '../geometry.ts';
import { headingLevels, type BodyStyle } from '../headings/headings.ts';
import { joinText, runningText, type Vocabulary, type WordSpan } from '../lines/join-lines.ts';
import { textOf, type Line } from '../lines/line.ts';
import { numberListItems, type ListCandidate } from './list-levels.ts';
import { listMarker } from '../lines/list-marker.ts';
import type { PageContent, PageField } from '../page/page-content.ts';
import type { FigureElement, PageElement, PageLayout, TextElement } from '../page/page-layout.ts';
import { displayBox } from '../page/display-box.ts';
import { tagOf } from '../headings/structure-tags.ts';
import { headerRowsOf } from '../tables/cells/header-rows.ts';
import type { Table } from '../tables/table.ts';
import { linksOf } from '../lines/word-links.ts';

/** A bookmark of the document outline. */
export interface OutlineEntry {
  title: string;
  /** From 1. */
  level: number;
  /** Target page, from 1; 0 if the bookmark has no target. */
  page: number;
}

export interface BlockOptions {
  body: BodyStyle;
  vocabulary: Vocabulary;
  outline: readonly OutlineEntry[];
}

export function blocksOf(
  layouts: readonly PageLayout[],
  ready: ReadonlyMap<number, BlockDraft[]>,
  options: BlockOptions,
): BlockDraft[] {
  const writer = new BlockWriter(options, levelsOf(layouts, options));
  for (const { page, elements } of layouts) {
    const recognised = ready.get(page.number);
    if (recognised !== undefined) writer.addReady(recognised);
    for (const element of elements) writer.add(element, page);
  }
  return writer.finish();
}

/** Collects blocks in reading order and joins text separated by column and page breaks. */
class BlockWriter {
  private readonly blocks: BlockDraft[] = [];
  private readonly options: BlockOptions;
  private readonly levels: ReadonlyMap<TextElement, number>;
  /** Last paragraph or list item; captions, figures and footnotes may separate it from its continuation. */
  private open: { block: BlockDraft; element: TextElement; page: number } | undefined;
  private items: ListCandidate[] = [];

  constructor(options: BlockOptions, levels: ReadonlyMap<TextElement, number>) {
    this.options = options;
    this.levels = levels;
  }

  addReady(blocks: readonly BlockDraft[]): void {
    this.endList();
    this.open = undefined;
    this.blocks.push(...blocks);
  }

  push(block: BlockDraft): void {
    this.endList();
    this.blocks.push(block);
  }

  add(element: PageElement, page: PageContent): void {
    const place = { page: page.number, bbox: boxOn(page, element) };
    if (element.kind === 'table') return this.push({ type: 'table', ...place, rows: rowsOf(element.table) });
    if (element.kind === 'figure') return this.push({ type: 'figure', ...place, ...labelText(element, page) });
    if (element.kind === 'formula') return this.push({ type: 'formula', ...place, text: element.latex });
    if (element.kind === 'field') return this.push({ type: 'formField', ...place, text: fieldText(element.field) });
    const block = textBlock(element, page, this.options.vocabulary, this.levels.get(element) ?? 1);
    if (
      this.open !== undefined &&
      isAfterBreak(this.open, element, page.number) &&
      continuesParagraph(this.open.block, block, element)
    ) {
      return appendText(this.open.block, block, this.options.vocabulary);
    }
    const added: BlockDraft = { ...block, ...place };
    if (added.type === 'heading') this.open = undefined;
    if (added.type === 'paragraph' || added.type === 'listItem')
      this.open = { block: added, element, page: page.number };
    if (added.type !== 'listItem') return this.push(added);
    const text = element.group.lines.map((line) => textOf(line.words)).join(' ');
    this.items.push({ block: added, x0: element.x0, size: element.group.size, text });
    this.blocks.push(added);
  }

  finish(): BlockDraft[] {
    this.endList();
    return this.blocks;
  }

  private endList(): void {
    if (this.items.length > 0) numberListItems(this.items);
    this.items = [];
  }
}

const boxOn = (page: PageContent, box: Box): BoundingBox =>
  page.displayBox?.(box) ?? displayBox(box, page.width, page.height, page.turn);

/** Formats a form field as `Label: value`; check boxes start with their state. */
function fieldText({ kind, label, value }: PageField): string {
  if (kind === 'checkbox' || kind === 'radio') return `${value} ${label}`;
  return label === '' ? value : `${label}: ${value}`;
}

function levelsOf(layouts: readonly PageLayout[], options: BlockOptions): Map<TextElement, number> {
  const headings = layouts.flatMap(({ page, elements }) =>
    elements
      .filter((element): element is TextElement => element.kind === 'heading')
      .map((element) => ({
        element,
        page: page.number,
        text: element.group.lines.map((line) => textOf(line.words)).join(' '),
      })),
  );
  const levelsByStyle = headingLevels(
    headings.map(({ element: { group }, text }) => ({
      size: group.size,
      bold: group.bold,
      italic: group.italic,
      text,
    })),
  );
  const outline = new Map(options.outline.map((entry) => [`${entry.page}:${plain(entry.title)}`, entry.level]));
  return new Map(
    headings.map(({ element, page, text }, index) => [
      element,
      taggedLevel(element) ?? outline.get(`${page}:${plain(text)}`) ?? levelsByStyle[index] ?? 1,
    ]),
  );
}

function taggedLevel({ group: { lines } }: TextElement): number | undefined {
  const level = lines[0] && tagOf(lines[0])?.level;
  return level === 0 ? undefined : level;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

function textBlock(element: TextElement, page: PageContent, vocabulary: Vocabulary, level: number): BlockDraft {
  const { lines } = element.group;
  if (element.kind === 'code') return { type: 'code', text: codeText(lines) };
  const spans: WordSpan[] | undefined = page.links.length > 0 ? [] : undefined;
  const text = runningText(element.kind === 'heading' ? lines : lines.map(withInlineFormulas), vocabulary, spans);
  const links = spans === undefined ? {} : linksOf(spans, page.links);
  if (element.kind === 'heading') return { type: 'heading', level, text, ...links };
  if (element.kind !== 'listItem') return { type: element.kind, text, ...links };
  const marker = listMarker(text);
  if (marker === undefined) return { type: 'paragraph', text, ...links };
  const moved = links.links?.map((link) => ({
    ...link,
    start: Math.max(0, link.start - marker.length),
    end: link.end - marker.length,
  }));
  return {
    type: 'listItem',
    level: 1,
    ordered: marker.ordered,
    ...(marker.ordered ? { start: marker.number } : {}),
    text: text.slice(marker.length),
    ...(moved === undefined ? {} : { links: moved.filter((link) => link.end > link.start) }),
  };
}

/** Keeps the line breaks and converts indentation to spaces. */
function codeText(lines: readonly Line[]): string {
  const left = Math.min(...lines.map((line) => line.x0));
  return lines
    .map((line) => ' '.repeat(Math.max(0, Math.round((line.x0 - left) / (0.6 * line.size)))) + textOf(line.words))
    .join('\n');
}

/** Checks for a page or column break before text of the same size. */
function isAfterBreak(open: { element: TextElement; page: number }, element: TextElement, page: number): boolean {
  const sameSize = Math.abs(open.element.group.size - element.group.size) < 0.6;
  return sameSize && (page !== open.page || element.y0 < open.element.y0);
}

/** Checks whether `block` continues a paragraph that a page or column break interrupted. */
function continuesParagraph(open: BlockDraft, block: BlockDraft, element: TextElement): boolean {
  if (element.kind !== 'paragraph' || open.text === undefined || block.text === undefined) return false;
  if (/[.!?:;。！？]["'”’)\]]*$/u.test(open.text) || open.text.length < 20) return false;
  return /^\p{Ll}/u.test(block.text) && !/^\(?[a-z\d]{1,3}\)/.test(block.text);
}

function appendText(open: BlockDraft, block: BlockDraft, vocabulary: Vocabulary): void {
  const text = joinText(open.text ?? '', block.text ?? '', vocabulary);
  const shift = text.length - (block.text ?? '').length;
  const links = (block.links ?? []).map((link) => ({ ...link, start: link.start + shift, end: link.end + shift }));
  open.text = text;
  if (links.length > 0) open.links = [...(open.links ?? []), ...links];
}

/** Returns the alternative texts of the figure's pictures, followed by the text on it. */
const labelText = (figure: FigureElement, page: PageContent): { text?: string } => {
  const alternatives = page.images.flatMap((image) =>
    image.alternative !== undefined && holdsCentre(figure, image) ? [image.alternative] : [],
  );
  const labels = figure.labels.map((line) => textOf(line.words));
  const text = [...new Set(alternatives), ...labels].join('\n');
  return text === '' ? {} : { text };
};

function rowsOf(table: Table): TableCell[][] {
  const headers = headerRowsOf(table);
  return Array.from({ length: table.rowCount }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .toSorted((a, b) => a.column - b.column)
      .map(({ text, rowSpan, colSpan, links }) => {
        const cell: TableCell = { text, rowSpan, colSpan, header: row < headers };
        return links === undefined ? cell : { ...cell, links };
      }),
  );
}
