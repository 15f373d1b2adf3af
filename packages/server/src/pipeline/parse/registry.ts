import type { Format } from '../../content/format.ts';
import { ContentError } from '../../errors.ts';
import type { FormatReader } from './parser.ts';

/** One line a format. A reader's module, and the libraries it needs, are loaded when its first file comes. */
const READERS: Readonly<Partial<Record<Format, () => Promise<{ reader: FormatReader }>>>> = {
  txt: () => import('./text.ts'),
  markdown: () => import('./markdown.ts'),
  html: () => import('./html.ts'),
  csv: () => import('./csv.ts'),
  json: () => import('./json.ts'),
  docx: () => import('./office/docx.ts'),
  xlsx: () => import('./office/xlsx.ts'),
  pptx: () => import('./office/pptx.ts'),
  xls: () => import('./office/xls.ts'),
  doc: () => import('./office/doc.ts'),
  ppt: () => import('./office/ppt.ts'),
  rtf: () => import('./office/rtf.ts'),
  odt: () => import('./office/odf.ts'),
  ods: () => import('./office/odf.ts'),
  odp: () => import('./office/odf.ts'),
  pdf: () => import('./pdf/pdf.ts'),
  jpg: () => import('./image/image.ts'),
  png: () => import('./image/image.ts'),
  webp: () => import('./image/image.ts'),
  tiff: () => import('./image/image.ts'),
  bmp: () => import('./image/image.ts'),
  avif: () => import('./image/image.ts'),
  apng: () => import('./image/image.ts'),
  gif: () => import('./image/image.ts'),
  ico: () => import('./image/image.ts'),
  svg: () => import('./image/svg.ts'),
};

/** The reader for a format; `unsupported` when there is none. */
export async function readerFor(format: Format): Promise<FormatReader> {
  const load = READERS[format];
  if (load === undefined) throw new ContentError('unsupported', `Files of type ${format} cannot be read.`);
  return (await load()).reader;
}
