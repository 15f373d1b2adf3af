import type { BlockDraft } from '../../../../content/block.ts';

/** Blocks as the text of a table cell: a line each, list entries with their mark, inner tables row by row. */
export function plainText(blocks: readonly BlockDraft[]): string {
  return blocks
    .map((block) => blockText(block, ''))
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: BlockDraft, mark: string): string {
  if (block.type === 'list') return listText(block);
  if (block.rows) {
    return block.rows
      .map((row) =>
        row
          .map((cell) => cell.text)
          .join(' ')
          .trim(),
      )
      .join('\n')
      .trim();
  }
  const own = block.type === 'formula' ? `$${block.text ?? ''}$` : (block.text ?? '');
  const inner = plainText(block.children ?? []);
  return [own === '' ? '' : mark + own, inner].filter((text) => text !== '').join('\n');
}

function listText(list: BlockDraft): string {
  const first = list.start ?? 1;
  return (list.children ?? [])
    .map((item, index) => blockText(item, list.ordered === true ? `${first + index}. ` : '- '))
    .join('\n');
}
