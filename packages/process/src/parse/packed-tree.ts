/**
 * A block tree as lines of JSON, each of bounded size unless a single text is larger: this process reads it line by
 * line and answers requests in between. A JSON text of 50 MB would block it for half a second.
 */
import type { Block, DocumentTree, TableCell } from '@quire/blocks/block';
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';

/** The rows of a table follow in lines of their own. */
type PackedBlock = Omit<Block, 'children' | 'rows'>;

/** A block with its depth, or more rows of the last block. */
type Line = { depth: number; block: PackedBlock; isTable: boolean } | { rows: TableCell[][] };

/** Number of cells in a line, about 50 kB. */
const CELLS_PER_LINE = 500;
const LINE_BREAK = 10;

export function packTree({ blocks, ...head }: DocumentTree): Buffer {
  const lines = [JSON.stringify(head)];
  const write = (line: Line): void => void lines.push(JSON.stringify(line));
  const open = blocks.toReversed().map((block) => ({ block, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { children = [], rows, ...block } = next.block;
    write({ depth: next.depth, block, isTable: rows !== undefined });
    for (const part of rowParts(rows ?? [])) write({ rows: part });
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child !== undefined) open.push({ block: child, depth: next.depth + 1 });
    }
  }
  return Buffer.from(lines.join('\n'));
}

function* rowParts(rows: readonly TableCell[][]): Generator<TableCell[][]> {
  let part: TableCell[][] = [];
  let cells = 0;
  for (const row of rows) {
    part.push(row);
    cells += row.length;
    if (cells < CELLS_PER_LINE) continue;
    yield part;
    [part, cells] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** Reads a tree, yielding to the event loop between its lines. */
export async function unpackTree(packed: Uint8Array, turns: EventLoopTurns): Promise<DocumentTree> {
  const tree = new TreeReader();
  for (const line of linesOf(packed)) {
    tree.read(line);
    await turns.pass();
  }
  return tree.finish();
}

/** Reads a tree at once, for processes that serve no requests. */
export function unpackWholeTree(packed: Uint8Array): DocumentTree {
  const tree = new TreeReader();
  for (const line of linesOf(packed)) tree.read(line);
  return tree.finish();
}

function* linesOf(packed: Uint8Array): Generator<string> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(LINE_BREAK, from);
    const end = found < 0 ? bytes.length : found;
    yield bytes.toString('utf8', from, end);
    from = end + 1;
  }
}

class TreeReader {
  #head: Omit<DocumentTree, 'blocks'> | undefined;
  readonly #blocks: Block[] = [];
  /** The open block of each depth. */
  readonly #open: Block[] = [];

  read(text: string): void {
    if (this.#head === undefined) {
      this.#head = JSON.parse(text) as Omit<DocumentTree, 'blocks'>;
      return;
    }
    const line = JSON.parse(text) as Line;
    if ('rows' in line) {
      const rows = this.#open.at(-1)?.rows;
      for (const row of line.rows) rows?.push(row);
      return;
    }
    const block: Block = line.isTable ? { ...line.block, rows: [] } : line.block;
    this.#open.length = line.depth;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#blocks.push(block);
    else (parent.children ??= []).push(block);
    this.#open.push(block);
  }

  finish(): DocumentTree {
    if (this.#head === undefined) throw new Error('a packed tree has no lines');
    return { ...this.#head, blocks: this.#blocks };
  }
}
