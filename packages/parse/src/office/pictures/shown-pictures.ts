/**
 * Reads text in the pictures of office files whose documents or slides contain nothing else, mostly scans and exported
 * slides. As for PDF, `auto` reads pictures where text is missing, `always` all, `never` none.
 */
import type { BlockDraft, BoundingBox } from '@quire/blocks/block';
import type { ContentWarning } from '@quire/blocks/content-warning';
import type { ParseContext } from '../../parser.ts';

export interface ShownPicture {
  /** Part name that identifies the picture; one that is used on many slides is read once. */
  name: string;
  /** The slide and the position on it; without a slide the text has no position. */
  page?: number;
  frame?: BoundingBox | undefined;
}

/** Returns whether the pictures of a slide or document need OCR, given its other blocks. */
export function needsRecognition({ options }: ParseContext, blocks: readonly BlockDraft[]): boolean {
  return options.ocr === 'always' || (options.ocr === 'auto' && !hasText(blocks));
}

/** Returns whether blocks other than pictures and notes have text. */
function hasText(blocks: readonly BlockDraft[]): boolean {
  return blocks.some(
    (block) =>
      (block.type !== 'figure' && block.type !== 'footnote' && (block.text ?? '') !== '') ||
      block.rows?.some((row) => row.some((cell) => cell.text !== '')) === true ||
      hasText(block.children ?? []),
  );
}

/** Inserts the text of pictures into the blocks, before the notes of their slide or of the document. */
export async function withPictures(
  blocks: readonly BlockDraft[],
  pictures: readonly ShownPicture[],
  load: (name: string) => Buffer,
  context: ParseContext,
): Promise<{ blocks: BlockDraft[]; warnings: ContentWarning[] }> {
  if (pictures.length === 0) return { blocks: [...blocks], warnings: [] };
  const { recognisePictures } = await import('./recognise-pictures.ts');
  const { read, warnings } = await recognisePictures(pictures, load, context);
  if (read.length === 0) return { blocks: [...blocks], warnings };
  const body = blocks.filter((block) => block.type !== 'footnote');
  const notes = blocks.filter((block) => block.type === 'footnote');
  const all = [...body, ...read.map(({ block }) => block), ...notes];
  // The sort is stable, so the order within a page is kept.
  return { blocks: all.toSorted((a, b) => (a.page ?? 0) - (b.page ?? 0)), warnings };
}
