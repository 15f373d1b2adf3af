/** Finds the title above a table that is no heading in the file: short lines, as in bold, capitals or centred. */
import type { Block } from '@quire/blocks/block';
import { isTitleLine } from './document-title.ts';

export interface TitledTable {
  title: string;
  /** Position of the table among the blocks. */
  table: number;
}

/** Number of title lines above a table up to which all belong to its title; above, only the nearest one does. */
const MAX_LINES = 3;
const MAX_CHARACTERS = 150;
/** A line about units or dates below a title: "(in millions)". */
const IN_BRACKETS = /^[([].*[)\]]$/su;

/** Returns the titled tables, by the position of the block with which the title begins. */
export function titledTables(blocks: readonly Block[]): Map<number, TitledTable> {
  const found = new Map<number, TitledTable>();
  for (const [table, block] of blocks.entries()) {
    if (block.type !== 'table') continue;
    const above = linesAbove(blocks, table);
    const names = above.filter(({ line }) => !IN_BRACKETS.test(line));
    const used = above.length > MAX_LINES ? names.slice(-1) : names;
    const title = used.map(({ line }) => line).join(', ');
    const [first] = used;
    if (first !== undefined && title.length <= MAX_CHARACTERS) found.set(first.at, { title, table });
  }
  return found;
}

/** Returns the lines of the title blocks that directly precede a block, each with the position of its block. */
function linesAbove(blocks: readonly Block[], end: number): { at: number; line: string }[] {
  const found: { at: number; line: string }[] = [];
  for (let at = end - 1; at >= 0 && found.length <= MAX_LINES; at -= 1) {
    const block = blocks[at];
    if (block?.type === 'pageBreak') continue;
    const lines = block === undefined ? undefined : titleLines(block);
    if (lines === undefined) break;
    found.unshift(...lines.map((line) => ({ at, line })));
  }
  return found;
}

/** Returns the lines of a block that reads like a title or a caption; undefined for any other block. */
function titleLines({ type, text = '', children = [] }: Block): string[] | undefined {
  if (text.trim() === '' || children.length > 0) return undefined;
  if (type === 'caption') return [text.replaceAll(/\s+/gu, ' ').trim()];
  if (type !== 'paragraph') return undefined;
  const lines = text.split('\n').map((line) => line.trim().replace(/:$/u, ''));
  return lines.every((line) => IN_BRACKETS.test(line) || isTitleLine(line)) ? lines : undefined;
}
