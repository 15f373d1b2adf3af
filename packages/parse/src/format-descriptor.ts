/**
 * The descriptor of a file format: everything that is known about the format without loading its reader. Each format
 * has a `descriptor.ts` in its own folder and one line in `formats.ts`. Descriptors import no reader and no decoder, so
 * the main process can load all of them.
 */
import type { FormatReader } from './parser.ts';
import type { FileProbe } from './validate/file-probe.ts';

/** A file whose content has another format of the same family is accepted under its name; the content decides. */
export type FormatFamily = 'pdf' | 'word' | 'sheet' | 'slides' | 'book' | 'image' | 'text' | 'archive';

export interface FormatDescriptor {
  family: FormatFamily;
  /** The canonical content type. */
  contentType: string;
  /** Other content types with the same meaning. */
  aliases: readonly string[];
  /** In lower case without the dot; empty if no extension of its own is accepted. */
  extensions: readonly string[];
  signature: ContentSignature;
  /** Cheap checks at upload; null if the content's signature is enough. */
  structure: StructureCheck | null;
  /** Loads the reader and its libraries on first use; null if the format is not read into blocks (archives). */
  reader: (() => Promise<{ reader: FormatReader }>) | null;
  thumbnail: ThumbnailSource;
  pages: PageSource | null;
  cost: ParseCost;
}

/** How the content identifies the format. All parts are optional: plain text formats differ by extension only. */
export interface ContentSignature {
  /** Tests the first bytes of the file. `extension` is that of the file name, in lower case, or empty. */
  bytes?: (head: Buffer, extension: string) => boolean;
  /** Tests the beginning of a text file. */
  text?: (start: string) => boolean;
  /** Matches the content type of the main part of an Office Open XML package. */
  mainPart?: RegExp;
  mimetypeMember?: MimetypeSignature;
  compound?: CompoundSignature;
}

/** A zip file that states its content type in a member called `mimetype` (OpenDocument, EPUB). */
export interface MimetypeSignature {
  contentTypes: readonly string[];
  /** A member without which the file is damaged, in lower case. */
  requiredMember: string;
  /** A member whose text shows that the parts are encrypted. */
  encryption?: { member: string; pattern: RegExp };
}

/** A compound file (CFB) with one of these streams at its root, in lower case. */
export interface CompoundSignature {
  streams: readonly string[];
  /** Tests the first 12 bytes of the stream. */
  isEncrypted?: (start: Buffer) => boolean;
}

/** Throws `FileRefused` if the file cannot be one of this format, or exceeds a limit. */
export type StructureCheck = (probe: FileProbe, limits: StructureLimits) => void;

export interface StructureLimits {
  maxPixels: number;
}

/**
 * `reader`: the format's reader draws it. `office`: the embedded picture, LibreOffice, or the block tree.
 * `blocks`: a page drawn from the block tree. `none`: there is no thumbnail.
 */
export type ThumbnailSource = 'reader' | 'office' | 'blocks' | 'none';

/** How single pages become pictures: `rendered` by PDFium, or `decoded` from an image file. */
export type PageSource = 'rendered' | 'decoded';

/** A rough estimate of the parse time, which orders waiting tasks and bounds the time of running ones. */
export interface ParseCost {
  fixedMs: number;
  msPerKilobyte: number;
}

/** Formats whose text is read directly from the file. */
export const LIGHT_COST: ParseCost = { fixedMs: 2, msPerKilobyte: 0.1 };
/** Images: recognition takes about a second. */
export const RECOGNITION_COST: ParseCost = { fixedMs: 1000, msPerKilobyte: 1 };
