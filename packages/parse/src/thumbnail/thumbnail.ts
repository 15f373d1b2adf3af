/**
 * The thumbnail of any file, by the best way there is for its format: what its reader draws (PDF, images), for office
 * files the ladder of `office-thumbnail.ts`, and for everything else a page drawn from the block tree.
 */
import type { Format } from '@quire/blocks/format';
import type { ParseContext, SourceFile } from '../parser.ts';
import { readerFor } from '../registry.ts';
import type { DrawableBlock } from './draw-tree.ts';
import { officeThumbnailer, treeThumbnailer, type BlockSource } from './office-thumbnail.ts';

/** The ones that soffice reads better than we draw. */
const OFFICE: ReadonlySet<Format> = new Set<Format>([
  'docx',
  'doc',
  'odt',
  'rtf',
  'xlsx',
  'xls',
  'ods',
  'pptx',
  'ppt',
  'odp',
]);
const SLIDES: ReadonlySet<Format> = new Set(['pptx', 'ppt', 'odp']);

/**
 * WebP, at most `maxSide` pixels on its longer side; null for archives. `tree` are the document's blocks, where it has
 * been read already: then the file is not read again. Throws `ContentError` as the reader does.
 */
export async function drawThumbnail(
  file: SourceFile,
  context: ParseContext,
  { maxSide, tree }: { maxSide: number; tree: readonly DrawableBlock[] | null },
): Promise<Buffer | null> {
  if (file.format === 'zip') return null;
  const { parse, thumbnail } = await readerFor(file.format);
  const blocks: BlockSource = async () =>
    tree ?? (await parse(file, { ...context, options: { ...context.options, ocr: 'never' } })).blocks;
  if (!OFFICE.has(file.format)) return (thumbnail ?? treeThumbnailer(blocks))(file, context, maxSide);
  const pdf = await readerFor('pdf');
  const drawPdf = pdf.thumbnail ?? (() => Promise.resolve(null));
  return officeThumbnailer({ blocks, drawPdf, landscape: SLIDES.has(file.format) })(file, context, maxSide);
}
