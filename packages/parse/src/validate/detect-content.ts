/** What a file's content is, whatever its name says; the name only settles what the content leaves open. */
import { fileTypeFromBuffer } from 'file-type';
import { FORMATS, type Format } from '@quire/blocks/format';
import type { ArchiveLimits } from '../archive/zip-limits.ts';
import { CompoundFile, isCompoundFile } from '../compound/compound-file.ts';
import { compoundContent } from './compound-content.ts';
import type { FileProbe } from './file-probe.ts';
import { corruptFile } from './refusals.ts';
import { leadingText, looksLikeHtml, rootElement } from './text-content.ts';
import { inspectZip } from './zip-content.ts';

/** `text`: text of any kind, told apart by the name. Undefined: nothing that is accepted. */
export interface DetectedContent {
  format: Format | 'text' | undefined;
  contentType: string;
}

export const UNKNOWN_CONTENT = 'application/octet-stream';

/** Readers accept so many bytes before a PDF's header. */
const PDF_HEADER_WITHIN = 1024;
const BMP_HEADER_SIZES = new Set([12, 16, 40, 52, 56, 64, 108, 124]);
/** The version fields of Excel 2 to 4's first record, BOF, from before compound files. */
const EARLY_EXCEL = new Set([0x0009, 0x0209, 0x0409]);

/** Throws `FileRefused` and `ZipProblem` for a container that cannot be looked into. */
export async function detectContent(
  probe: FileProbe,
  named: Format | undefined,
  limits: ArchiveLimits,
): Promise<DetectedContent> {
  const { head } = probe;
  const text = leadingText(head);
  // Text that happens to start like a picture ("BM", "GIF89a") is text when its name says so.
  const isNamedText = named !== undefined && FORMATS[named].family === 'text';
  if (isNamedText && text !== undefined && !/^(%PDF-\d|\{\\rtf)/.test(text)) return textContent(text);
  if (isZip(head)) return inspectZip(probe, limits);
  if (isCompoundFile(head)) {
    const compound = CompoundFile.open(probe);
    if (compound === undefined) throw corruptFile('The file is damaged: its directory cannot be read');
    return compoundContent(compound, named);
  }
  const format = magicFormat(head, named);
  if (format !== undefined) return { format, contentType: FORMATS[format].contentType };
  if (text !== undefined) return textContent(text);
  return { format: undefined, contentType: await foreignType(head) };
}

function textContent(text: string): DetectedContent {
  if (looksLikeHtml(text)) return { format: 'html', contentType: FORMATS.html.contentType };
  const root = rootElement(text);
  if (root === 'svg') return { format: 'svg', contentType: FORMATS.svg.contentType };
  const isXml = root !== undefined && /^\ufeff?\s*<\?xml/.test(text);
  return { format: 'text', contentType: isXml ? 'application/xml' : 'text/plain' };
}

const isZip = (head: Buffer): boolean => head[0] === 0x50 && head[1] === 0x4b && startsWithAny(head, ZIP_STARTS);
/** A local header, the end of an empty archive, the mark of a split one. */
const ZIP_STARTS = ['504b0304', '504b0506', '504b0708', '504b3030'].map((hex) => Buffer.from(hex, 'hex'));

const startsWithAny = (head: Buffer, starts: readonly Buffer[]): boolean =>
  starts.some((start) => head.subarray(0, start.length).equals(start));

const STARTS: readonly (readonly [Format, Buffer])[] = [
  ['png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['jpg', Buffer.from('ffd8ff', 'hex')],
  ['gif', Buffer.from('GIF87a')],
  ['gif', Buffer.from('GIF89a')],
  ['tiff', Buffer.from('49492a00', 'hex')],
  ['tiff', Buffer.from('4d4d002a', 'hex')],
  ['tiff', Buffer.from('49492b00', 'hex')],
  ['tiff', Buffer.from('4d4d002b', 'hex')],
  ['rtf', Buffer.from('{\\rtf')],
];

function magicFormat(head: Buffer, named: Format | undefined): Format | undefined {
  const pdfAt = head.subarray(0, PDF_HEADER_WITHIN + 5).indexOf('%PDF-');
  if (pdfAt === 0 || (pdfAt > 0 && named === 'pdf')) return 'pdf';
  const start = STARTS.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes))?.[0];
  if (start === 'png') return isAnimated(head) ? 'apng' : 'png';
  if (start !== undefined) return start;
  if (head.length < 12) return head.length >= 6 && isIcon(head) ? 'ico' : undefined;
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  if (isAvif(head)) return 'avif';
  if (head.toString('latin1', 0, 2) === 'BM' && head.length >= 18 && BMP_HEADER_SIZES.has(head.readUInt32LE(14))) {
    return 'bmp';
  }
  if (isIcon(head)) return 'ico';
  return named === 'xls' && EARLY_EXCEL.has(head.readUInt16LE(0)) && head.readUInt16LE(2) <= 16 ? 'xls' : undefined;
}

const isIcon = (head: Buffer): boolean => head.readUInt32LE(0) === 0x00010000 && head.readUInt16LE(4) > 0;

/** The animation control chunk stands before the first image data. */
function isAnimated(head: Buffer): boolean {
  const control = head.indexOf('acTL');
  const pixels = head.indexOf('IDAT');
  return control > 0 && (pixels < 0 || control < pixels);
}

/** `ftyp`, and an AVIF brand as the major or a compatible one. */
function isAvif(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.length, head.readUInt32BE(0), 256);
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12 && /^avi[fs]$/.test(head.toString('latin1', at, at + 4))) return true;
  }
  return false;
}

/** For the message: what else it may be. */
async function foreignType(head: Buffer): Promise<string> {
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? UNKNOWN_CONTENT;
  } catch {
    return UNKNOWN_CONTENT;
  }
}
