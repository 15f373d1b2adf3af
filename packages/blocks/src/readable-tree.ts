/**
 * The tree without struck words, as search, answers, extraction, classification and summaries read it. The stored tree,
 * its renderings and pictures keep these words, marked as struck.
 */
import type { Block, BlockContent, DocumentTree, TableCell, TextMark } from './block.ts';

type Marked = Pick<BlockContent, 'text' | 'links' | 'lines' | 'marks'>;

/** Returns the same tree if nothing in it is struck. Ids of blocks do not change; blocks without words are left out. */
export function readableTree(tree: DocumentTree): DocumentTree {
  const blocks = readableBlocks(tree.blocks);
  return blocks === tree.blocks ? tree : { ...tree, blocks };
}

function readableBlocks(blocks: Block[]): Block[] {
  const readable = blocks.map(readableBlock);
  if (readable.every((block, index) => block === blocks[index])) return blocks;
  return readable.filter((block): block is Block => block !== undefined);
}

/** Returns undefined if all words of the block are struck. */
function readableBlock(block: Block): Block | undefined {
  const own = withoutStruck(block);
  const rows = block.rows === undefined ? undefined : readableRows(block.rows);
  const children = block.children === undefined ? undefined : readableBlocks(block.children);
  if (own === block && rows === block.rows && children === block.children) return block;
  const isEmptied = own.text === '' && block.text !== '' && (children ?? []).length === 0;
  if (isEmptied && rows === undefined && block.type !== 'figure') return undefined;
  return { ...own, ...(rows === undefined ? {} : { rows }), ...(children === undefined ? {} : { children }) };
}

function readableRows(rows: TableCell[][]): TableCell[][] {
  const readable = rows.map((row) => {
    const cells = row.map((cell) => withoutStruck(cell));
    return cells.every((cell, index) => cell === row[index]) ? row : cells;
  });
  return readable.every((row, index) => row === rows[index]) ? rows : readable;
}

function withoutStruck<T extends Marked>(content: T): T {
  const struck = (content.marks ?? []).filter((mark) => mark.kind === 'struck');
  if (struck.length === 0 || content.text === undefined) return content;
  const kept = keptParts(content.text, struck);
  const move = <Range extends { start: number; end: number }>(ranges: readonly Range[]): Range[] =>
    ranges
      .map((range) => ({ ...range, start: kept.offset(range.start), end: kept.offset(range.end) }))
      .filter((range) => range.end > range.start);
  const { links, lines, marks } = content;
  return {
    ...content,
    text: kept.text,
    ...(links === undefined ? {} : { links: move(links) }),
    ...(lines === undefined ? {} : { lines: move(lines) }),
    ...(marks === undefined ? {} : { marks: move(marks.filter((mark) => mark.kind !== 'struck')) }),
  };
}

interface KeptParts {
  text: string;
  /** Returns the new place of an offset; offsets in a removed part move to its start. */
  offset: (at: number) => number;
}

/** Removes the struck parts, with the white space after them where white space or the start of the text precedes. */
function keptParts(text: string, struck: readonly TextMark[]): KeptParts {
  const parts: string[] = [];
  const removed: { start: number; end: number; before: number }[] = [];
  let [from, length] = [0, 0];
  for (const mark of struck) {
    const start = Math.max(from, mark.start);
    let end = Math.min(text.length, Math.max(start, mark.end));
    parts.push(text.slice(from, start));
    length += start - from;
    if (length === 0 || /\s/.test(text.charAt(start - 1))) while (/\s/.test(text.charAt(end))) end += 1;
    removed.push({ start, end, before: length });
    from = end;
  }
  const whole = (parts.join('') + text.slice(from)).trimEnd();
  const offset = (at: number): number => {
    const last = lastStartingBy(removed, at);
    const moved = last === undefined ? at : last.before + Math.max(0, at - last.end);
    return Math.min(moved, whole.length);
  };
  return { text: whole, offset };
}

/** Returns the last part that starts at or before `at`, by binary search. */
function lastStartingBy<Part extends { start: number }>(parts: readonly Part[], at: number): Part | undefined {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.start ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}
