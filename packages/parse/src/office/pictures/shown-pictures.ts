/**
 * Text in the pictures of an office file: of documents and slides that show nothing else, which are mostly scans and
 * exported slides. As with PDF, `auto` reads where text is missing, `always` reads all pictures, `never` none.
 */
import type { BlockDraft, BoundingBox } from '@quire/blocks/block';
import type { ParseContext } from '../../parser.ts';

export interface ShownPicture {
  /** Tells pictures apart: one that is shown on many slides is read once. */
  name: string;
  /** The slide that shows it, and where; without one the text has no place. */
  page?: number;
  frame?: BoundingBox | undefined;
}

/** Whether the pictures of a slide or document are to be read, given what else it shows. */
export function wantsPictures({ options }: ParseContext, blocks: readonly BlockDraft[]): boolean {
  return options.ocr === 'always' || (options.ocr === 'auto' && !hasText(blocks));
}

/** Whether anything but pictures and notes holds text. */
function hasText(blocks: readonly BlockDraft[]): boolean {
  return blocks.some(
    (block) =>
      (block.type !== 'figure' && block.type !== 'footnote' && (block.text ?? '') !== '') ||
      block.rows?.some((row) => row.some((cell) => cell.text !== '')) === true ||
      hasText(block.children ?? []),
  );
}

/** The blocks with the pictures' text: before the notes of their slide, or of what has no slides. */
export async function withPictures(
  blocks: readonly BlockDraft[],
  pictures: readonly ShownPicture[],
  load: (name: string) => Buffer,
  context: ParseContext,
): Promise<{ blocks: BlockDraft[]; warnings: string[] }> {
  if (pictures.length === 0) return { blocks: [...blocks], warnings: [] };
  const { recognisePictures } = await import('./recognise-pictures.ts');
  const { read, warnings } = await recognisePictures(pictures, load, context);
  if (read.length === 0) return { blocks: [...blocks], warnings };
  const body = blocks.filter((block) => block.type !== 'footnote');
  const notes = blocks.filter((block) => block.type === 'footnote');
  const all = [...body, ...read.map(({ block }) => block), ...notes];
  // Stable: within a page the order is that of `all`.
  return { blocks: all.toSorted((a, b) => (a.page ?? 0) - (b.page ?? 0)), warnings };
}
