/** The public API of `@quire/parse`: reads files into block trees and renders them. */
export { parseFile, type ParsedFile, type ParseFileOptions } from './parse-file.ts';
export { FORMATS, formatOfContentType, formatOfExtension, type Format } from './formats.ts';
export type { FormatDescriptor, FormatFamily } from './format-descriptor.ts';
export type { ParseLimits, ParseOptions } from './parser.ts';
export { FileRefused, type FileRefusalType } from './validate/file-refused.ts';
export { ContentError, type ContentErrorType } from '@quire/blocks/content-error';
export type { Block, BlockType, BoundingBox, DocumentTree, TableCell, TextLink } from '@quire/blocks/block';
export { toHtml } from '@quire/blocks/to-html';
export { toMarkdown } from '@quire/blocks/to-markdown';
export { plainText, walkBlocks } from '@quire/blocks/walk';
