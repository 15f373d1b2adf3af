import type { BlockContent } from './block.ts';

interface Nested<T> {
  children?: T[];
}

/** Yields every block in reading order, parents before children. Not recursive, because parsers may nest deeply. */
export function* walkBlocks<T extends Nested<T>>(blocks: readonly T[]): Generator<T> {
  const stack: T[] = blocks.toReversed();
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    yield block;
    const children = block.children ?? [];
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index];
      if (child !== undefined) stack.push(child);
    }
  }
}

/** Returns the block's own text without its children. Table cells are joined by tabs, rows by line breaks. */
export function ownText(block: BlockContent): string {
  if (block.rows === undefined) return block.text ?? '';
  return block.rows.map((row) => row.map((cell) => cell.text).join('\t')).join('\n');
}

/**
 * Returns the plain text of the blocks in reading order, joined by line breaks and cut after `maxLength` UTF-16 units.
 */
export function plainText<T extends BlockContent & Nested<T>>(blocks: readonly T[], maxLength = Infinity): string {
  const parts: string[] = [];
  let length = 0;
  for (const block of walkBlocks(blocks)) {
    const text = ownText(block);
    if (text === '') continue;
    parts.push(text);
    length += text.length + 1;
    if (length > maxLength) break;
  }
  return parts.join('\n').slice(0, maxLength);
}
