/**
 * The thumbnail of any file, by the best way there is for its format: what its reader draws (PDF, images), for office
 * files the ladder of `office-thumbnail.ts`, and for everything else a page drawn from the block tree.
 */
import type { Format } from '../../content/format.ts';
import type { ParseContext, SourceFile } from '../parse/parser.ts';
import { readerFor } from '../parse/registry.ts';
import { officeThumbnailer, treeThumbnailer } from './office-thumbnail.ts';

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

/** WebP, at most `maxSide` pixels on its longer side; null for archives. Throws `ContentError` as the reader does. */
export async function drawThumbnail(file: SourceFile, context: ParseContext, maxSide: number): Promise<Buffer | null> {
  if (file.format === 'zip') return null;
  const { parse, thumbnail } = await readerFor(file.format);
  if (!OFFICE.has(file.format)) return (thumbnail ?? treeThumbnailer(parse))(file, context, maxSide);
  const pdf = await readerFor('pdf');
  const drawPdf = pdf.thumbnail ?? (() => Promise.resolve(null));
  return officeThumbnailer({ parse, drawPdf, landscape: SLIDES.has(file.format) })(file, context, maxSide);
}
