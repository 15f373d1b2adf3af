/** The public API of `@quire/blocks`: the block tree of a document and its renderings. Runs in browsers. */
export type {
  Block,
  BlockContent,
  BlockDraft,
  BlockType,
  BoundingBox,
  DocumentTree,
  ParsedContent,
  MarkKind,
  TableCell,
  TextLink,
  TextMark,
} from './block.ts';
export { ContentError, type ContentErrorType } from './content-error.ts';
export { WARNING_TYPES, type ContentWarning, type WarningType } from './content-warning.ts';
export { finishTree } from './finish-tree.ts';
export { readableTree } from './readable-tree.ts';
export { safeHref } from './safe-href.ts';
export { tableGrid, type GridCell } from './table-grid.ts';
export { toHtml } from './to-html.ts';
export { toMarkdown } from './to-markdown.ts';
export { ownText, plainText, walkBlocks } from './walk.ts';
