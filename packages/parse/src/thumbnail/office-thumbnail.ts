/**
 * Thumbnails of office files, by the first of these that works: the program `soffice`, when it is on PATH, makes a PDF
 * whose first page is drawn; the picture that the author's program left in the file; a page drawn from the block tree.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, SourceFile, Thumbnailer } from '../parser.ts';
import { drawPicture } from './draw-picture.ts';
import { drawTree, type DrawableBlock } from './draw-tree.ts';
import { readEmbeddedPicture } from './embedded-picture.ts';
import { convertToPdf } from './soffice.ts';

/** The document's blocks: stored ones, or read from the file. */
export type BlockSource = (file: SourceFile, context: ParseContext) => Promise<readonly DrawableBlock[]>;

interface OfficeThumbnailParts {
  blocks: BlockSource;
  drawPdf: Thumbnailer;
  /** Slides. */
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

/** For formats that have no look of their own: the beginning of the document as a page. */
export function treeThumbnailer(blocks: BlockSource, landscape = false): Thumbnailer {
  return async (file, context, maxSide) =>
    drawTree(await blocks(file, context), { maxSide, landscape, tempDir: context.tempDir });
}

/** The next rung is tried when one fails, but not when the task is over. */
async function orNull<T>(attempt: Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  try {
    return await attempt;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ContentError && error.type === 'encrypted') throw error;
    return null;
  }
}
