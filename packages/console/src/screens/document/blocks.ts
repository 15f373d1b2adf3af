import type { Block, PageBox } from '@quire/client';

/** Returns all blocks in reading order, without the tree. */
export function flatten(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => [block, ...flatten(childrenOf(block))]);
}

export const childrenOf = (block: Block): Block[] => (block.children ?? []) as Block[];

/** Returns the boxes of a block by page: its own, or those of its lines where it goes over several pages. */
export function boxesOf({ page, bbox, lines = [] }: Block): PageBox[] {
  const isSpread = lines.some((line) => line.page !== page);
  if (!isSpread) return page === undefined || bbox === undefined ? [] : [{ page, bbox }];
  const boxes = new Map<number, number[]>();
  for (const { page: at, box } of lines) {
    const [x0 = 1, y0 = 1, x1 = 0, y1 = 0] = boxes.get(at) ?? [];
    const [a = 0, b = 0, c = 0, d = 0] = box;
    boxes.set(at, [Math.min(x0, a), Math.min(y0, b), Math.max(x1, c), Math.max(y1, d)]);
  }
  return [...boxes].map(([at, box]) => ({ page: at, bbox: box }));
}
