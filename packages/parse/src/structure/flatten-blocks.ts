import type { BlockDraft, TableCell, TextLink, TextMark } from '@quire/blocks/block';
import { shifted } from './shifted.ts';

export interface FlatText {
  text: string;
  links: TextLink[];
  /** Absent if nothing is marked. */
  marks?: TextMark[];
}

/**
 * Joins blocks into one text with line breaks, for places where a format has blocks and the tree has text (cells,
 * headings).
 */
export function flattenBlocks(blocks: readonly BlockDraft[]): FlatText {
  const flat: FlatText = { text: '', links: [] };
  appendBlocks(flat, blocks);
  return flat;
}

function appendBlocks(flat: FlatText, blocks: readonly BlockDraft[]): void {
  for (const block of blocks) {
    if (block.type === 'list') appendList(flat, block);
    else appendBlock(flat, block, '');
  }
}

function appendBlock(flat: FlatText, block: BlockDraft, prefix: string): void {
  const own =
    block.rows === undefined ? { links: [], ...rangesIn(block), text: block.text ?? '' } : rowsAsLines(block.rows);
  if (own.text !== '') append(flat, own, flat.text === '' ? prefix : `\n${prefix}`);
  appendBlocks(flat, block.children ?? []);
}

function appendList(flat: FlatText, list: BlockDraft): void {
  (list.children ?? []).forEach((item, index) => {
    appendBlock(flat, item, list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ');
  });
}

const rangesIn = ({ links, marks }: Pick<BlockDraft, 'links' | 'marks'>): Pick<BlockDraft, 'links' | 'marks'> => ({
  ...(links === undefined ? {} : { links }),
  ...(marks === undefined ? {} : { marks }),
});

function rowsAsLines(rows: readonly (readonly TableCell[])[]): FlatText {
  const lines: FlatText = { text: '', links: [] };
  rows.forEach((row, rowIndex) => {
    row.forEach((cell, index) => {
      const separator = index > 0 ? ' ' : rowIndex > 0 ? '\n' : '';
      append(lines, { links: [], ...rangesIn(cell), text: cell.text.replaceAll('\n', ' ') }, separator);
    });
  });
  return lines;
}

function append(flat: FlatText, { text, links, marks = [] }: FlatText, before: string): void {
  const shift = flat.text.length + before.length;
  flat.text += before + text;
  for (const link of shifted(links, shift)) flat.links.push(link);
  for (const mark of shifted(marks, shift)) (flat.marks ??= []).push(mark);
}
