import type { DocumentTree } from '@quire/blocks/block';
import { toHtml } from '@quire/blocks/to-html';
import { toMarkdown } from '@quire/blocks/to-markdown';
import type { ParseFormat } from './blocks.ts';

export type Renderings = Partial<Record<ParseFormat, string>>;

const RENDERERS: Record<ParseFormat, (tree: DocumentTree) => string> = {
  markdown: toMarkdown,
  html: toHtml,
  blocks: (tree) => JSON.stringify(tree.blocks),
};

/** Renders the tree in each of the formats: Markdown, HTML, or the blocks as JSON. */
export function renderTree(tree: DocumentTree, formats: readonly ParseFormat[]): Renderings {
  return Object.fromEntries(formats.map((format) => [format, RENDERERS[format](tree)]));
}
