import { type FormatDescriptor } from '../../format-descriptor.ts';
import type { FileProbe } from '../../validate/file-probe.ts';
import { corruptFile } from '../../validate/refusals.ts';

/** PDF readers accept this many bytes before the header. */
const MAX_BYTES_BEFORE_HEADER = 1024;
const SEARCH_BYTES = 64 * 1024;

/** Bytes before the header are accepted only if the file name says that this is a PDF. */
function isPdf(head: Buffer, extension: string): boolean {
  const at = head.subarray(0, MAX_BYTES_BEFORE_HEADER + 5).indexOf('%PDF-');
  return at === 0 || (at > 0 && extension === 'pdf');
}

/** Encryption is left to the reader: many encrypted files open with an empty password. */
function checkObjects(probe: FileProbe): void {
  const hasObjects = [probe.head, probe.tail(SEARCH_BYTES)].some((part) => part.includes('obj'));
  if (!hasObjects) throw corruptFile('The PDF file is damaged: it holds no objects');
}

export const pdf: FormatDescriptor = {
  family: 'pdf',
  contentType: 'application/pdf',
  aliases: ['application/x-pdf'],
  extensions: ['pdf'],
  signature: { bytes: isPdf },
  structure: checkObjects,
  reader: () => import('./pdf.ts'),
  thumbnail: 'reader',
  pages: 'rendered',
  cost: { fixedMs: 20, msPerKilobyte: 2 },
};
