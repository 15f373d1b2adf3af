/** Determines the format of a file's content. The name is used only where the content is ambiguous. */
import { fileTypeFromBuffer } from 'file-type';
import type { ArchiveLimits } from '../archive/zip-limits.ts';
import { CompoundFile, isCompoundFile } from '../compound/compound-file.ts';
import { FORMAT_ENTRIES, FORMATS, type Format } from '../formats.ts';
import type { NamedFormat } from './accepted-format.ts';
import { compoundContent } from './compound-content.ts';
import { startsWith, type FileProbe } from './file-probe.ts';
import { corruptFile } from './refusals.ts';
import { leadingText, rootElement } from './text-content.ts';
import { inspectZip } from './zip-content.ts';

export interface DetectedContent {
  /** `text`: a text format that only the name distinguishes. Undefined: content that is not accepted. */
  format: Format | 'text' | undefined;
  contentType: string;
}

export const UNKNOWN_CONTENT = 'application/octet-stream';

/** Throws `FileRefused` or `ZipProblem` for a container that cannot be read. */
export async function detectContent(
  probe: FileProbe,
  named: NamedFormat,
  limits: ArchiveLimits,
): Promise<DetectedContent> {
  const { head } = probe;
  const text = leadingText(head);
  // Text that happens to start like an image ("BM", "GIF89a") is text if its name says so.
  const isNamedText = named.format !== undefined && FORMATS[named.format].family === 'text';
  if (isNamedText && text !== undefined && !/^(%PDF-\d|\{\\rtf)/.test(text)) return textContent(text);
  if (ZIP_STARTS.some((start) => startsWith(head, start))) return inspectZip(probe, limits);
  if (isCompoundFile(head)) {
    const compound = CompoundFile.open(probe);
    if (compound === undefined) throw corruptFile('The file is damaged: its directory cannot be read');
    return compoundContent(compound, named.format);
  }
  for (const [format, { contentType, signature }] of FORMAT_ENTRIES) {
    if (signature.bytes?.(head, named.extension) === true) return { format, contentType };
  }
  if (text !== undefined) return textContent(text);
  return { format: undefined, contentType: await foreignType(head) };
}

function textContent(text: string): DetectedContent {
  for (const [format, { contentType, signature }] of FORMAT_ENTRIES) {
    if (signature.text?.(text) === true) return { format, contentType };
  }
  const isXml = rootElement(text) !== undefined && /^\ufeff?\s*<\?xml/.test(text);
  return { format: 'text', contentType: isXml ? 'application/xml' : 'text/plain' };
}

/** A local header, the end record of an empty archive, and the two markers of a split archive. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08', 'PK00'];

/** Returns the content type of a format that is not accepted, for the message. */
async function foreignType(head: Buffer): Promise<string> {
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? UNKNOWN_CONTENT;
  } catch {
    return UNKNOWN_CONTENT;
  }
}
