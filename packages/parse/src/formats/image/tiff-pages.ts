/**
 * Reads what sharp does not report from the directories of a TIFF: the compression (sharp returns a white page for an
 * unsupported one), whether a directory is a page at all, and the two resolutions, which differ in faxes sent with half
 * the lines. Layout: TIFF 6.0 and BigTIFF (tag 43: eight-byte counts and offsets).
 */

export interface TiffPage {
  /** Compression code, 1 to 65535; 1 means none. */
  compression: number;
  /** True for a reduced copy of another page or a mask. */
  isCopy: boolean;
  /** Horizontal divided by vertical resolution; 1 if equal or unknown. */
  aspect: number;
  /** Offset of its directory. */
  at: number;
  /** Offset of the number that names the next directory. */
  linkAt: number;
}

const SUBFILE_TYPE = 254;
const COMPRESSION = 259;
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;
const TAGS: ReadonlySet<number> = new Set([SUBFILE_TYPE, COMPRESSION, X_RESOLUTION, Y_RESOLUTION]);
const REDUCED_OR_MASK = 0b101;
const SHORT = 3;
const RATIONAL = 5;

/** Maximum number of directories; no book has more pages. */
const MAX_DIRECTORIES = 100_000;
/** Maximum aspect; beyond it, one of the two resolutions is wrong. */
const MAX_ASPECT = 4;

/** Returns the directories that can be reached; none if the header is invalid. */
export function tiffPages(bytes: Buffer): TiffPage[] {
  const file = tiffFile(bytes);
  if (file === undefined) return [];
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  let at = file.first;
  while (at > 0 && !seen.has(at) && pages.length < MAX_DIRECTORIES) {
    seen.add(at);
    const directory = readDirectory(file, at);
    if (directory === undefined) break;
    const tag = (name: number): number => directory.values.get(name) ?? 0;
    pages.push({
      compression: tag(COMPRESSION) || 1,
      isCopy: (tag(SUBFILE_TYPE) & REDUCED_OR_MASK) !== 0,
      aspect: aspectOf(tag(X_RESOLUTION), tag(Y_RESOLUTION)),
      at,
      linkAt: directory.linkAt,
    });
    at = directory.next;
  }
  return pages;
}

/**
 * Makes a page the only one of the file, in place: the decoder walks all directories each time it opens the file, which
 * takes minutes for thousands of pages.
 */
export function selectPage(bytes: Buffer, { at, linkAt }: TiffPage): void {
  const file = tiffFile(bytes);
  if (file === undefined) return;
  file.writePointer(at, file.big ? 8 : 4);
  file.writePointer(0, linkAt);
}

function aspectOf(across: number, down: number): number {
  const aspect = across > 0 && down > 0 ? across / down : 1;
  return Number.isFinite(aspect) && aspect <= MAX_ASPECT && aspect >= 1 / MAX_ASPECT ? aspect : 1;
}

interface TiffFile {
  big: boolean;
  first: number;
  bytes: Buffer;
  /** Returns 0 beyond the end. */
  uint: (at: number, size: 2 | 4 | 8) => number;
  /** Writes the offset of a directory; nothing beyond the end. */
  writePointer: (value: number, at: number) => void;
}

function tiffFile(bytes: Buffer): TiffFile | undefined {
  const order = bytes.toString('latin1', 0, 2);
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const little = order === 'II';
  const uint = (at: number, size: 2 | 4 | 8): number => {
    if (at < 0 || at + size > bytes.length) return 0;
    if (size === 8) return Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    return little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  };
  const big = uint(2, 2) === 43;
  const writePointer = (value: number, at: number): void => {
    if (at + (big ? 8 : 4) > bytes.length) return;
    if (big && little) bytes.writeBigUInt64LE(BigInt(value), at);
    else if (big) bytes.writeBigUInt64BE(BigInt(value), at);
    else if (little) bytes.writeUInt32LE(value, at);
    else bytes.writeUInt32BE(value, at);
  };
  return { big, first: big ? uint(8, 8) : uint(4, 4), bytes, uint, writePointer };
}

interface Directory {
  values: Map<number, number>;
  /** Offset of the next directory; 0 for none. */
  next: number;
  linkAt: number;
}

function readDirectory({ big, bytes, uint }: TiffFile, at: number): Directory | undefined {
  const [countBytes, entryBytes, pointerBytes] = big ? ([8, 20, 8] as const) : ([2, 12, 4] as const);
  const count = uint(at, countBytes);
  const end = at + countBytes + count * entryBytes;
  if (count === 0 || end > bytes.length) return undefined;
  const values = new Map<number, number>();
  for (let entry = at + countBytes; entry < end; entry += entryBytes) {
    const tag = uint(entry, 2);
    if (!TAGS.has(tag)) continue;
    const kind = uint(entry + 2, 2);
    const value = entry + (big ? 12 : 8);
    // A rational of eight bytes is stored at an offset, except in BigTIFF, where it fits into the entry.
    const fraction = big ? value : uint(value, 4);
    if (kind === RATIONAL) values.set(tag, uint(fraction, 4) / uint(fraction + 4, 4));
    else values.set(tag, uint(value, kind === SHORT ? 2 : 4));
  }
  return { values, next: uint(end, pointerBytes), linkAt: end };
}
