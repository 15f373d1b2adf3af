/** The file formats that the service accepts: names, content types and families, in one table. */
export type Format =
  | 'pdf' | 'docx' | 'doc' | 'xlsx' | 'xls' | 'pptx' | 'ppt' | 'odt' | 'ods' | 'odp'
  | 'jpg' | 'png' | 'webp' | 'tiff' | 'bmp' | 'svg' | 'avif' | 'apng' | 'gif' | 'ico'
  | 'txt' | 'markdown' | 'html' | 'csv' | 'json' | 'zip' | 'rtf';

/** Formats of one family may stand in for one another: the name merely misspells the kind. */
export type FormatFamily = 'pdf' | 'word' | 'sheet' | 'slides' | 'image' | 'text' | 'archive';

export interface FormatSpec {
  extensions: readonly string[];
  contentType: string;
  /** Other content types that mean the same. */
  aliases: readonly string[];
  family: FormatFamily;
}
