import type { BlockDraft, TextLink } from '../../content/block.ts';

export interface FlatText {
  text: string;
  links: TextLink[];
}

/** Blocks as one text with line breaks between them, for where a format has blocks and the tree has text (cells, headings). */
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
  const own = block.rows === undefined ? (block.text ?? '') : rowsAsLines(block.rows);
  if (own !== '') {
    if (flat.text !== '') flat.text += '\n';
    const shift = flat.text.length + prefix.length;
    flat.text += prefix + own;
    for (const link of block.links ?? []) {
      flat.links.push({ start: link.start + shift, end: link.end + shift, href: link.href });
    }
  }
  appendBlocks(flat, block.children ?? []);
}

function appendList(flat: FlatText, list: BlockDraft): void {
  (list.children ?? []).forEach((item, index) => {
    appendBlock(flat, item, list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ');
  });
}

function rowsAsLines(rows: readonly (readonly { text: string }[])[]): string {
  return rows.map((row) => row.map((cell) => cell.text.replaceAll('\n', ' ')).join(' ')).join('\n');
}
