/**
 * Draws thumbnails of office files from the first source that works: a PDF converted by `soffice`, if it is on PATH;
 * the preview that the author's program stored in the file; a page drawn from the block tree.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, SourceFile, Thumbnailer } from '../parser.ts';
import { drawPicture } from './draw-picture.ts';
import { drawTree, type DrawableBlock } from './draw-tree.ts';
import { readEmbeddedPicture } from './embedded-picture.ts';
import { convertToPdf } from './soffice.ts';

/** Returns the document's blocks, stored or read from the file. */
export type BlockSource = (file: SourceFile, context: ParseContext) => Promise<readonly DrawableBlock[]>;

interface OfficeThumbnailParts {
  blocks: BlockSource;
  drawPdf: Thumbnailer;
  /** True for slides. */
  landscape?: boolean;
}

export function officeThumbnailer({ blocks, drawPdf, landscape = false }: OfficeThumbnailParts): Thumbnailer {
  const drawFromTree = treeThumbnailer(blocks, landscape);
  return async (file, context, maxSide) => {
    const pdf = await convertToPdf(file, context);
    if (pdf !== null) {
      const drawn = await orNull(drawPdf(pdf, context, maxSide), context.signal);
      if (drawn !== null) return drawn;
    }
    const picture = await orNull(readEmbeddedPicture(file.path, context.limits), context.signal);
    if (picture !== null) {
      const drawn = await orNull(drawPicture(picture, maxSide), context.signal);
      if (drawn !== null) return drawn;
    }
    return drawFromTree(file, context, maxSide);
  };
}

/** Draws the beginning of the document as a page, for formats without a visual layout. */
export function treeThumbnailer(blocks: BlockSource, landscape = false): Thumbnailer {
  return async (file, context, maxSide) =>
    drawTree(await blocks(file, context), { maxSide, landscape, tempDir: context.tempDir });
}

/** Returns null if the attempt fails, so that the next source is tried. Rethrows if the task was aborted. */
async function orNull<T>(attempt: Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  try {
    return await attempt;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ContentError && error.type === 'encrypted') throw error;
    return null;
  }
}
