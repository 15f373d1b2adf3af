/** Extensions of the types that sites serve without one in the address. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'application/pdf': '.pdf',
  'application/msword': '.doc',
  'application/vnd.ms-excel': '.xls',
  'application/vnd.ms-powerpoint': '.ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'application/vnd.oasis.opendocument.text': '.odt',
  'application/vnd.oasis.opendocument.spreadsheet': '.ods',
  'application/vnd.oasis.opendocument.presentation': '.odp',
  'application/epub+zip': '.epub',
  'application/rtf': '.rtf',
  'text/markdown': '.md',
  'text/csv': '.csv',
};

/** Returns the extension of a content type; null if the address alone decides. */
export const extensionOf = (contentType: string): string | null =>
  EXTENSIONS[contentType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? null;
