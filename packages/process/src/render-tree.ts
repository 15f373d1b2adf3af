import type { DocumentTree } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { toHtml } from '@quire/blocks/to-html';
import { toMarkdown } from '@quire/blocks/to-markdown';
import type { ParseFormat } from './blocks.ts';

export type Renderings = Partial<Record<ParseFormat, string>>;

/** Maximum length of a rendering in UTF-16 units. */
export const MAX_RENDERING_LENGTH = 128 * 1024 * 1024;

const RENDERERS: Record<ParseFormat, (tree: DocumentTree, maxLength: number) => string> = {
  markdown: toMarkdown,
  html: toHtml,
  blocks: (tree, maxLength) => {
    const json = JSON.stringify(tree.blocks);
    if (json.length <= maxLength) return json;
    throw new ContentError('too_large', `The rendering is longer than ${maxLength} characters`);
  },
};

/**
 * Renders the tree in each of the formats: Markdown, HTML, or the blocks as JSON. Throws `ContentError` `too_large` for
 * a rendering of more than `maxLength` UTF-16 units.
 */
export function renderTree(
  tree: DocumentTree,
  formats: readonly ParseFormat[],
  maxLength = MAX_RENDERING_LENGTH,
): Renderings {
  return Object.fromEntries(formats.map((format) => [format, RENDERERS[format](tree, maxLength)]));
}
