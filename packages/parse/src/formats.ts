/**
 * The registry of file formats. A format exists if it has a line here: the type `Format` and all look-ups derive from
 * this record, and a descriptor with a missing field does not compile.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { FormatDescriptor } from './format-descriptor.ts';
import { csv } from './formats/csv/descriptor.ts';
import { docx } from './formats/docx/descriptor.ts';
import { epub } from './formats/epub/descriptor.ts';
import { html } from './formats/html/descriptor.ts';
import { apng, avif, bmp, gif, ico, jpg, png, tiff, webp } from './formats/image/descriptors.ts';
import { json } from './formats/json/descriptor.ts';
import { markdown } from './formats/markdown/descriptor.ts';
import { odp, ods, odt } from './formats/odf/descriptors.ts';
import { pdf } from './formats/pdf/descriptor.ts';
import { pptx } from './formats/pptx/descriptor.ts';
import { svg } from './formats/svg/descriptor.ts';
import { txt } from './formats/text/descriptor.ts';
import { xls } from './formats/xls/descriptor.ts';
import { xlsx } from './formats/xlsx/descriptor.ts';
import { zip } from './archive/descriptor.ts';
import { doc } from './legacy/doc/descriptor.ts';
import { ppt } from './legacy/ppt/descriptor.ts';
import { rtf } from './legacy/rtf/descriptor.ts';
import type { FormatReader } from './parser.ts';

/** Content is tested in this order, so a format comes before those whose signature also matches its files. */
const DESCRIPTORS = {
  pdf,
  docx,
  doc,
  odt,
  rtf,
  xlsx,
  xls,
  ods,
  pptx,
  ppt,
  odp,
  epub,
  jpg,
  png,
  apng,
  webp,
  tiff,
  bmp,
  svg,
  avif,
  gif,
  ico,
  txt,
  markdown,
  html,
  csv,
  json,
  zip,
};

export type Format = keyof typeof DESCRIPTORS;

export const FORMATS: Readonly<Record<Format, FormatDescriptor>> = DESCRIPTORS;

export const FORMAT_ENTRIES = Object.entries(FORMATS) as readonly (readonly [Format, FormatDescriptor])[];

const byExtension = new Map<string, Format>();
const byContentType = new Map<string, Format>();
for (const [format, { extensions, contentType, aliases }] of FORMAT_ENTRIES) {
  for (const extension of extensions) byExtension.set(extension, format);
  for (const type of [contentType, ...aliases]) byContentType.set(type, format);
}

/** Returns the format of an extension in lower case without its dot. */
export const formatOfExtension = (extension: string): Format | undefined => byExtension.get(extension);

/** Returns the format of a content type in lower case without parameters. */
export const formatOfContentType = (contentType: string): Format | undefined => byContentType.get(contentType);

/** Loads the reader of a format. Throws `ContentError` `unsupported` if there is none. */
export async function readerFor(format: Format): Promise<FormatReader> {
  const load = FORMATS[format].reader;
  if (load === null) throw new ContentError('unsupported', `Files of type ${format} cannot be read.`);
  return (await load()).reader;
}
