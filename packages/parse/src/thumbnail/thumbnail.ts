/** Draws the thumbnail of a file from the source that the descriptor of its format names. */
import { FORMATS, readerFor } from '../formats.ts';
import type { ParseContext, SourceFile } from '../parser.ts';
import type { DrawableBlock } from './draw-tree.ts';
import { officeThumbnailer, treeThumbnailer, type BlockSource } from './office-thumbnail.ts';

/**
 * Returns a WebP of at most `maxSide` pixels on its longer side; null for archives. If `tree` holds the document's
 * blocks, the file is not read again. Throws `ContentError` as the reader does.
 */
export async function drawThumbnail(
  file: SourceFile,
  context: ParseContext,
  { maxSide, tree }: { maxSide: number; tree: readonly DrawableBlock[] | null },
): Promise<Buffer | null> {
  const { family, thumbnail: source } = FORMATS[file.format];
  if (source === 'none') return null;
  const { parse, thumbnail } = await readerFor(file.format);
  const blocks: BlockSource = async () =>
    tree ?? (await parse(file, { ...context, options: { ...context.options, ocr: 'never' } })).blocks;
  if (source !== 'office') return (thumbnail ?? treeThumbnailer(blocks))(file, context, maxSide);
  const pdf = await readerFor('pdf');
  const drawPdf = pdf.thumbnail ?? (() => Promise.resolve(null));
  return officeThumbnailer({ blocks, drawPdf, landscape: family === 'slides' })(file, context, maxSide);
}
