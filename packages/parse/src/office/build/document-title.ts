import type { BlockDraft } from '@quire/blocks/block';

/** Heading level of the title while a text document is read, above the headings of level 1. */
export const TITLE_LEVEL = 0;

/** Moves all headings one level below the title, if there is one. */
export function nestBelowTitle(blocks: readonly BlockDraft[]): { blocks: BlockDraft[]; title: string | null } {
  const title = blocks.find((block) => block.type === 'heading' && block.level === TITLE_LEVEL)?.text;
  if (title === undefined) return { blocks: [...blocks], title: null };
  const shifted = blocks.map((block) =>
    block.type === 'heading' ? { ...block, level: Math.min(6, (block.level ?? 1) + 1) } : block,
  );
  return { blocks: shifted, title };
}
