import type { BlockDraft, TableCell } from '@quire/blocks/block';
import { shifted } from '../../structure/shifted.ts';
import type { BuiltText } from './text-builder.ts';

/**
 * Returns blocks as the text of a table cell: one line each, list entries with their markers, inner tables row by row.
 */
export function plainText(blocks: readonly BlockDraft[]): string {
  return cellContent(blocks).text;
}

/** Returns the same text with its links and marks. */
export function cellContent(blocks: readonly BlockDraft[]): BuiltText {
  const lines: BuiltText = { text: '', links: [], marks: [] };
  for (const block of blocks) addBlock(lines, block, '');
  return lines;
}

function addBlock(lines: BuiltText, block: BlockDraft, mark: string): void {
  if (block.rows) {
    for (const row of block.rows) addRow(lines, row);
  } else if (block.type === 'formula') {
    append(lines, '\n', `${mark}$${block.text ?? ''}$`);
  } else if (block.type !== 'list' && block.text !== undefined && block.text !== '') {
    append(lines, '\n', mark);
    append(lines, '', block.text, block);
  }
  const first = block.start ?? 1;
  (block.children ?? []).forEach((child, index) => {
    const ownMark = block.type !== 'list' ? '' : block.ordered === true ? `${first + index}. ` : '- ';
    addBlock(lines, child, ownMark);
  });
}

function addRow(lines: BuiltText, row: readonly TableCell[]): void {
  const filled = row.filter((cell) => cell.text !== '');
  filled.forEach((cell, index) => append(lines, index === 0 ? '\n' : ' ', cell.text, cell));
}

function append(
  lines: BuiltText,
  separator: string,
  text: string,
  { links = [], marks = [] }: Pick<BlockDraft, 'links' | 'marks'> = {},
): void {
  if (lines.text !== '') lines.text += separator;
  const shift = lines.text.length;
  lines.text += text;
  lines.links.push(...shifted(links, shift));
  lines.marks.push(...shifted(marks, shift));
}
