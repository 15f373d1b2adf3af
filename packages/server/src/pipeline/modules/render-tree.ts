import type { DocumentTree } from '../../content/block.ts';
import { toHtml } from '../../content/to-html.ts';
import { toMarkdown } from '../../content/to-markdown.ts';
import type { ParseFormat } from './blocks.ts';

export type Renderings = Partial<Record<ParseFormat, string>>;

const RENDERERS: Record<ParseFormat, (tree: DocumentTree) => string> = {
  markdown: toMarkdown,
  html: toHtml,
  blocks: (tree) => JSON.stringify(tree.blocks),
};

/** The tree in each of the formats: Markdown, HTML, or the blocks as JSON. */
export function renderTree(tree: DocumentTree, formats: readonly ParseFormat[]): Renderings {
  return Object.fromEntries(formats.map((format) => [format, RENDERERS[format](tree)]));
}
