/** Converts page layouts to blocks: joins paragraphs over pages and sets heading levels, tables, figures and links. */
import type { BlockDraft, TableCell } from '@quire/blocks/block';
import type { BodyStyle } from '../headings/headings.ts';
import { titleKey, type OutlineEntry } from '../headings/bookmarked-headings.ts';
import { headingsOf, levelsByStyle, taggedLevel } from '../headings/repeated-labels.ts';
import type { Vocabulary } from '../lines/join-lines.ts';
import { boxOnPage } from '../lines/line-map.ts';
import { isRightToLeft, textOf } from '../lines/line.ts';
import { numberListItems, type ListCandidate } from './list-levels.ts';
import type { PageContent, PageField } from '../page/page-content.ts';
import type { PageElement, PageLayout, TextElement } from '../page/page-layout.ts';
import { headerRowsOf } from '../tables/cells/header-rows.ts';
import type { Table } from '../tables/table.ts';
import { appendText, figureText, textBlock } from './text-block.ts';

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
  private open: OpenText | undefined;
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
      continuesParagraph(this.open, block, element)
    ) {
      this.open = { ...this.open, element, page: page.number };
      return appendText(this.open.block, block, this.options.vocabulary);
    }
    const added: BlockDraft = { ...block, ...place };
    if (added.type === 'heading' || element.kind === 'entry') this.open = undefined;
    else if (added.type === 'paragraph' || added.type === 'listItem')
      this.open = { block: added, element, page: page.number };
    if (added.type !== 'listItem') return this.push(added);
    this.addItem(listCandidate(added, element));
  }

  private addItem(item: ListCandidate): void {
    const last = this.items.at(-1);
    if (last !== undefined && (last.text === '') !== (item.text === '')) this.endList();
    this.items.push(item);
    this.blocks.push(item.block);
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

/** Returns the place of an item in its list. Entries of a table of contents have no marker; numbers belong to them. */
function listCandidate(block: BlockDraft, { kind, group, x0, x1 }: TextElement): ListCandidate {
  const words = group.lines.flatMap((line) => line.words);
  const text = kind === 'entry' ? '' : group.lines.map((line) => textOf(line.words)).join(' ');
  return { block, x0: isRightToLeft(words) ? -x1 : x0, size: group.size, text };
}

/** Formats a form field as `Label: value`; check boxes start with their state. */
function fieldText({ kind, label, value }: PageField): string {
  if (kind === 'checkbox' || kind === 'radio') return `${value} ${label}`;
  return label === '' ? value : `${label}: ${value}`;
}

function levelsOf(layouts: readonly PageLayout[], options: BlockOptions): Map<TextElement, number> {
  const headings = headingsOf(layouts);
  const byStyle = levelsByStyle(headings);
  const outline = new Map(options.outline.map((entry) => [`${entry.page}:${titleKey(entry.title)}`, entry.level]));
  return new Map(
    headings.map(({ element, page, text }, index) => [
      element,
      taggedLevel(element) ?? outline.get(`${page}:${titleKey(text)}`) ?? byStyle[index] ?? 1,
    ]),
  );
}

/** A text that may continue after a page or column break. */
interface OpenText {
  block: BlockDraft;
  /** Its last part. */
  element: TextElement;
  page: number;
}

/** Checks for a page or column break before text of the same size. */
function isAfterBreak(open: OpenText, element: TextElement, page: number): boolean {
  const sameSize = Math.abs(open.element.group.size - element.group.size) < 0.6;
  return sameSize && (page !== open.page || element.y0 < open.element.y0);
}

/** Checks whether `block` continues a paragraph that a page or column break interrupted. */
function continuesParagraph(open: OpenText, block: BlockDraft, element: TextElement): boolean {
  const { text } = open.block;
  if (element.kind !== 'paragraph' || text === undefined || block.text === undefined) return false;
  if (/[.!?:;。！？؟]["'”’)\]]*$/u.test(text) || text.length < 20) return false;
  if (/^\p{Ll}/u.test(block.text)) return !/^\(?[a-z\d]{1,3}\)/.test(block.text);
  return /^[\p{Lu}\p{Lo}\p{N}("“«]/u.test(block.text) && endsFull(open.element) && startsFlush(element, open.element);
}

/** Maximum room at the end of a full line, in font sizes. */
const MAX_ROOM = 1.2;

/** Checks that the last of several lines is full, which the last line of a paragraph seldom is. */
function endsFull({ group: { lines, x0, x1, size, bold } }: TextElement): boolean {
  const last = lines.at(-1);
  if (last === undefined || lines.length < 2 || bold) return false;
  return (isRightToLeft(last.words) ? last.x0 - x0 : x1 - last.x1) < MAX_ROOM * size;
}

/** Checks that the first line is not indented, compared with its own lines or, if it is alone, with those before. */
function startsFlush({ group: { lines, x0, x1, size, bold } }: TextElement, before: TextElement): boolean {
  const [first] = lines;
  if (first === undefined || bold) return false;
  const left = lines.length > 1 ? x0 : before.x0;
  const right = lines.length > 1 ? x1 : before.x1;
  return Math.abs(isRightToLeft(first.words) ? right - first.x1 : first.x0 - left) < 0.5 * size;
}

function rowsOf(table: Table): TableCell[][] {
  const headers = headerRowsOf(table);
  return Array.from({ length: table.rowCount }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .toSorted((a, b) => a.column - b.column)
      .map(({ text, rowSpan, colSpan, links, page, box, lines }) => ({
        text,
        rowSpan,
        colSpan,
        header: row < headers,
        ...(links === undefined ? {} : { links }),
        ...(page === undefined ? {} : { page }),
        ...(box === undefined ? {} : { box }),
        ...(lines === undefined ? {} : { lines }),
      })),
  );
}
