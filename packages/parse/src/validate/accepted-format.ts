/**
 * Decides whether a file's content is acceptable under its name. A name of another format in the same family is
 * accepted, and the content decides; any other mismatch is refused. See
 * docs/decisions/2026-11-21-accepted-misnamed-files.md.
 */
import { FORMATS, formatOfContentType, formatOfExtension, type Format } from '../formats.ts';
import { UNKNOWN_CONTENT, type DetectedContent } from './detect-content.ts';
import { corruptFile, typeMismatch, unsupportedType } from './refusals.ts';

export interface NamedFormat {
  extension: string;
  /** Undefined without an extension. */
  format: Format | undefined;
}

/** Content types that clients send for files of unknown type. */
const NO_HINT = new Set(['', 'application/octet-stream', 'application/x-www-form-urlencoded']);

/** Matches the part after the last dot, except numbers (`notes v1.2`) and anything with a space (`Mr. Smith`). */
const EXTENSION = /\.(?!\d*$)([^. ]*)$/;

/** Throws `FileRefused` for an unsupported extension. Without an extension, the content decides later. */
export function namedFormat(name: string): NamedFormat {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).replace(/[. ]+$/, '');
  const extension = EXTENSION.exec(base)?.[1]?.toLowerCase() ?? '';
  const format = formatOfExtension(extension);
  if (extension !== '' && format === undefined) throw unsupportedType(extension.slice(0, 32), null);
  return { extension, format };
}

/** Throws `FileRefused` if the content is not acceptable under the name. */
export function acceptedFormat(named: NamedFormat, detected: DetectedContent, hint: string | null): Format {
  const { extension, format } = named;
  if (format === undefined) return formatWithoutExtension(detected, hint);
  if (FORMATS[format].family === 'text') {
    if (detected.format === 'html') return 'html';
    if (isText(detected)) return format;
  } else if (detected.format !== 'text' && detected.format !== undefined) {
    if (FORMATS[detected.format].family === FORMATS[format].family) return detected.format;
    // "Save as web page" and countless exports keep the old extension.
    if (detected.format === 'html' && (format === 'doc' || format === 'xls')) return 'html';
  } else if (detected.contentType === UNKNOWN_CONTENT || detected.contentType === FORMATS[format].contentType) {
    throw corruptFile(`The file is damaged: it does not start like a .${extension} file`);
  }
  throw typeMismatch(extension, detected.contentType);
}

/** The source of an SVG is text like any other, and so is that of a text format with a signature of its own. */
const isText = ({ format }: DetectedContent): boolean =>
  format === 'text' || format === 'svg' || (format !== undefined && FORMATS[format].family === 'text');

function formatWithoutExtension(detected: DetectedContent, hint: string | null): Format {
  if (detected.format === 'text' || detected.format === 'html') {
    const hinted = hintedFormat(hint);
    if (hinted !== undefined && FORMATS[hinted].family === 'text') return hinted;
    if (detected.format === 'html') return 'html';
  } else if (detected.format !== undefined) {
    return detected.format;
  }
  throw unsupportedType('', detected.contentType);
}

function hintedFormat(hint: string | null): Format | undefined {
  const contentType = (hint ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return NO_HINT.has(contentType) ? undefined : formatOfContentType(contentType);
}
