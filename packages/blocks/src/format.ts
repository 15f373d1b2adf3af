/** The file formats that the service accepts: names, content types and families, in one table. */
export type Format =
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'xlsx'
  | 'xls'
  | 'pptx'
  | 'ppt'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'jpg'
  | 'png'
  | 'webp'
  | 'tiff'
  | 'bmp'
  | 'svg'
  | 'avif'
  | 'apng'
  | 'gif'
  | 'ico'
  | 'txt'
  | 'markdown'
  | 'html'
  | 'csv'
  | 'json'
  | 'zip'
  | 'rtf';

/** Formats of one family may stand in for one another: the name merely misspells the kind. */
export type FormatFamily = 'pdf' | 'word' | 'sheet' | 'slides' | 'image' | 'text' | 'archive';

export interface FormatSpec {
  extensions: readonly string[];
  contentType: string;
  /** Other content types that mean the same. */
  aliases: readonly string[];
  family: FormatFamily;
}

const TAB_SEPARATED = 'text/tab-separated-values';
const JSON_LINES = ['application/jsonl', 'application/x-ndjson', 'application/x-jsonlines'];

/**
 * Every accepted format. `rtf` has no extension of its own: it is what many `.doc` files hold, and is accepted only
 * under such a name.
 */
export const FORMATS: Readonly<Record<Format, FormatSpec>> = {
  pdf: spec('pdf', 'application/pdf', ['pdf'], ['application/x-pdf']),
  docx: spec('word', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', ['docx']),
  doc: spec('word', 'application/msword', ['doc']),
  odt: spec('word', 'application/vnd.oasis.opendocument.text', ['odt']),
  rtf: spec('word', 'application/rtf', [], ['text/rtf']),
  xlsx: spec('sheet', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ['xlsx']),
  xls: spec('sheet', 'application/vnd.ms-excel', ['xls']),
  ods: spec('sheet', 'application/vnd.oasis.opendocument.spreadsheet', ['ods']),
  pptx: spec('slides', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', ['pptx']),
  ppt: spec('slides', 'application/vnd.ms-powerpoint', ['ppt']),
  odp: spec('slides', 'application/vnd.oasis.opendocument.presentation', ['odp']),
  jpg: spec('image', 'image/jpeg', ['jpg', 'jpeg'], ['image/jpg', 'image/pjpeg']),
  png: spec('image', 'image/png', ['png'], ['image/x-png']),
  apng: spec('image', 'image/apng', ['apng'], ['image/vnd.mozilla.apng']),
  webp: spec('image', 'image/webp', ['webp']),
  tiff: spec('image', 'image/tiff', ['tiff', 'tif']),
  bmp: spec('image', 'image/bmp', ['bmp'], ['image/x-ms-bmp', 'image/x-bmp']),
  svg: spec('image', 'image/svg+xml', ['svg']),
  avif: spec('image', 'image/avif', ['avif']),
  gif: spec('image', 'image/gif', ['gif']),
  ico: spec('image', 'image/x-icon', ['ico'], ['image/vnd.microsoft.icon']),
  txt: spec('text', 'text/plain', ['txt']),
  markdown: spec('text', 'text/markdown', ['md', 'markdown'], ['text/x-markdown']),
  html: spec('text', 'text/html', ['html', 'htm'], ['application/xhtml+xml']),
  csv: spec('text', 'text/csv', ['csv', 'tsv'], ['application/csv', 'text/comma-separated-values', TAB_SEPARATED]),
  json: spec('text', 'application/json', ['json', 'jsonl', 'ndjson'], ['text/json', ...JSON_LINES]),
  zip: spec('archive', 'application/zip', ['zip'], ['application/x-zip-compressed', 'application/x-zip']),
};

function spec(
  family: FormatFamily,
  contentType: string,
  extensions: readonly string[],
  aliases: readonly string[] = [],
): FormatSpec {
  return { extensions, contentType, aliases, family };
}

const byExtension = new Map<string, Format>();
const byContentType = new Map<string, Format>();
for (const [format, { extensions, contentType, aliases }] of Object.entries(FORMATS) as [Format, FormatSpec][]) {
  for (const extension of extensions) byExtension.set(extension, format);
  for (const type of [contentType, ...aliases]) byContentType.set(type, format);
}

/** By an extension in lower case without its dot. */
export const formatOfExtension = (extension: string): Format | undefined => byExtension.get(extension);

/** By a content type in lower case without parameters. */
export const formatOfContentType = (contentType: string): Format | undefined => byContentType.get(contentType);
