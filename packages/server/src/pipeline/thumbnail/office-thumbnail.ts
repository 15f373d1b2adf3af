/**
 * Thumbnails of office files, by the first of these that works: the program `soffice`, when it is on PATH, makes a PDF
 * whose first page is drawn; the picture that the author's program left in the file; a page drawn from the block tree.
 */
import { ContentError } from '../../errors.ts';
import type { Parser, Thumbnailer } from '../parse/parser.ts';
import { drawPicture } from './draw-picture.ts';
import { drawTree } from './draw-tree.ts';
import { readEmbeddedPicture } from './embedded-picture.ts';
import { convertToPdf } from './soffice.ts';

interface OfficeThumbnailParts {
  parse: Parser;
  drawPdf: Thumbnailer;
  /** Slides. */
  landscape?: boolean;
}

export function officeThumbnailer({ parse, drawPdf, landscape = false }: OfficeThumbnailParts): Thumbnailer {
  const drawFromTree = treeThumbnailer(parse, landscape);
  return async (file, context, maxSide) => {
    const pdf = await convertToPdf(file, context);
    if (pdf !== null) {
      const drawn = await orNull(drawPdf(pdf, context, maxSide), context.signal);
      if (drawn !== null) return drawn;
    }
    const picture = await orNull(readEmbeddedPicture(file.path), context.signal);
    if (picture !== null) {
      const drawn = await orNull(drawPicture(picture, maxSide), context.signal);
      if (drawn !== null) return drawn;
    }
    return drawFromTree(file, context, maxSide);
  };
}

/** For formats that have no look of their own: the beginning of the document as a page. */
export function treeThumbnailer(parse: Parser, landscape = false): Thumbnailer {
  return async (file, context, maxSide) => {
    const { blocks } = await parse(file, { ...context, options: { ...context.options, ocr: 'never' } });
    return drawTree(blocks, { maxSide, landscape, tempDir: context.tempDir });
  };
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
