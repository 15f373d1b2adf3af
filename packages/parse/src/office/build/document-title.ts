import type { BlockDraft } from '@quire/blocks/block';

/** While a text document is read, its title stands above the headings of level 1. */
export const TITLE_LEVEL = 0;

/** With a title, all headings hang below it; without, they stay as they are. */
export function settleTitle(blocks: readonly BlockDraft[]): { blocks: BlockDraft[]; title: string | null } {
  const title = blocks.find((block) => block.type === 'heading' && block.level === TITLE_LEVEL)?.text;
  if (title === undefined) return { blocks: [...blocks], title: null };
  const shifted = blocks.map((block) =>
    block.type === 'heading' ? { ...block, level: Math.min(6, (block.level ?? 1) + 1) } : block,
  );
  return { blocks: shifted, title };
}
