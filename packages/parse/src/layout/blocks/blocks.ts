/** Converts page layouts to blocks: joins paragraphs over pages and sets heading levels, tables, figures and links. */
import type { BlockDraft, TableCell } from '@quire/blocks/block';
import { headingLevels, type BodyStyle } from '../headings/headings.ts';
import type { Vocabulary } from '../lines/join-lines.ts';
import { boxOnPage } from '../lines/line-map.ts';
import { textOf } from '../lines/line.ts';
import { numberListItems, type ListCandidate } from './list-levels.ts';
import type { PageContent, PageField } from '../page/page-content.ts';
import type { PageElement, PageLayout, TextElement } from '../page/page-layout.ts';
import { tagOf } from '../headings/structure-tags.ts';
import { headerRowsOf } from '../tables/cells/header-rows.ts';
import type { Table } from '../tables/table.ts';
import { appendText, figureText, textBlock } from './text-block.ts';

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
    const place = { page: page.number, bbox: boxOnPage(page, element) };
    if (element.kind === 'table') return this.push({ type: 'table', ...place, rows: rowsOf(element.table) });
    if (element.kind === 'figure') return this.push({ type: 'figure', ...place, ...figureText(element, page) });
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

function rowsOf(table: Table): TableCell[][] {
  const headers = headerRowsOf(table);
  return Array.from({ length: table.rowCount }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .toSorted((a, b) => a.column - b.column)
      .map(({ text, rowSpan, colSpan, links, page, box }) => ({
        text,
        rowSpan,
        colSpan,
        header: row < headers,
        ...(links === undefined ? {} : { links }),
        ...(page === undefined ? {} : { page }),
        ...(box === undefined ? {} : { box }),
      })),
  );
}
