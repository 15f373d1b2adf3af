import type { Format } from '@quire/blocks/format';
import { ContentError } from '@quire/blocks/content-error';
import type { FormatReader } from './parser.ts';

/** One line a format. A reader's module, and the libraries it needs, are loaded when its first file comes. */
const READERS: Readonly<Partial<Record<Format, () => Promise<{ reader: FormatReader }>>>> = {
  txt: () => import('./formats/text/text.ts'),
  markdown: () => import('./formats/markdown/markdown.ts'),
  html: () => import('./formats/html/html.ts'),
  csv: () => import('./formats/csv/csv.ts'),
  json: () => import('./formats/json/json.ts'),
  docx: () => import('./formats/docx/docx.ts'),
  xlsx: () => import('./formats/xlsx/xlsx.ts'),
  pptx: () => import('./formats/pptx/pptx.ts'),
  xls: () => import('./formats/xls/xls.ts'),
  doc: () => import('./legacy/doc/doc.ts'),
  ppt: () => import('./legacy/ppt/ppt.ts'),
  rtf: () => import('./legacy/rtf/rtf.ts'),
  odt: () => import('./formats/odf/odf.ts'),
  ods: () => import('./formats/odf/odf.ts'),
  odp: () => import('./formats/odf/odf.ts'),
  pdf: () => import('./formats/pdf/pdf.ts'),
  jpg: () => import('./formats/image/image.ts'),
  png: () => import('./formats/image/image.ts'),
  webp: () => import('./formats/image/image.ts'),
  tiff: () => import('./formats/image/image.ts'),
  bmp: () => import('./formats/image/image.ts'),
  avif: () => import('./formats/image/image.ts'),
  apng: () => import('./formats/image/image.ts'),
  gif: () => import('./formats/image/image.ts'),
  ico: () => import('./formats/image/image.ts'),
  svg: () => import('./formats/svg/svg.ts'),
};

/** The reader for a format; `unsupported` when there is none. */
export async function readerFor(format: Format): Promise<FormatReader> {
  const load = READERS[format];
  if (load === undefined) throw new ContentError('unsupported', `Files of type ${format} cannot be read.`);
  return (await load()).reader;
}
