/** Checks the directory of a zip file (archive, OOXML, ODF, EPUB) against the limits before anything is inflated. */
import type { ZipDirectory, ZipMember } from './zip-directory.ts';

export interface ArchiveLimits {
  maxInflatedBytes: number;
  maxArchiveEntries: number;
  maxArchiveRatio: number;
  maxArchiveDepth: number;
  /** Free disk space, in bytes, that unpacked members must leave. Default 0. */
  minFreeBytes?: number;
}

/** A problem of a zip file. The upload check maps it to a refusal, the sandbox to a `ContentError`. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem';
  readonly kind: 'tooLarge' | 'tooManyMembers' | 'corrupt' | 'encrypted';
  /** The limit that was exceeded. */
  readonly limit: number | undefined;

  constructor(kind: ZipProblem['kind'], message: string, limit?: number) {
    super(message);
    this.kind = kind;
    this.limit = limit;
  }
}

/** Unpacked size in bytes up to which any ratio is allowed (CONTRACT section 11). */
const RATIO_FLOOR_BYTES = 100 * 1024;
/**
 * Allowance in bytes for the pictures, fonts and objects of a document, which is not counted in the ratio: a blank EMF
 * of a chart takes 1.5 MB and packs to 4 kB.
 */
export const TIGHT_BYTES = 16 * 1024 * 1024;
const LOCAL_HEADER_BYTES = 30;
/** Maximum ratio of packed to declared size. Deflate adds only 5 bytes to each 16 kB that it cannot shrink. */
const MAX_EXPANSION = 2;
const EXPANSION_FREE_BYTES = 1024;

/** Throws `ZipProblem`. */
export function checkZipLimits(directory: ZipDirectory, limits: ArchiveLimits): void {
  let declared = 0;
  let declaredMarkup = 0;
  let compressed = 0;
  for (const member of directory.members) {
    declared += member.declaredBytes;
    compressed += member.compressedBytes;
    if (isMarkup(member.name)) declaredMarkup += member.declaredBytes;
    if (hasWrongSize(member)) throw new ZipProblem('corrupt', `The declared size of '${member.name}' is wrong`);
  }
  if (declared > limits.maxInflatedBytes) {
    throw new ZipProblem(
      'tooLarge',
      `The file unpacks to more than ${limits.maxInflatedBytes} bytes`,
      limits.maxInflatedBytes,
    );
  }
  const tight = isDocument(directory) ? Math.min(declared - declaredMarkup, TIGHT_BYTES) : 0;
  checkRatio(declared - tight, compressed, limits);
  checkOverlaps(directory);
  const files = directory.members.filter((member) => !member.directory);
  if (files.length > 0 && files.every((member) => member.encrypted)) {
    throw new ZipProblem('encrypted', 'The archive needs a password');
  }
}

/** Throws `ZipProblem` if the ratio exceeds the limit. Applies to declared and to inflated bytes. */
export function checkRatio(inflatedBytes: number, compressedBytes: number, limits: ArchiveLimits): void {
  if (inflatedBytes > RATIO_FLOOR_BYTES && inflatedBytes > compressedBytes * limits.maxArchiveRatio) {
    const limit = limits.maxArchiveRatio;
    throw new ZipProblem('tooLarge', `The file unpacks to more than ${limit} times its size`, limit);
  }
}

/** Returns whether a part is markup, which readers hold in memory as a whole, unlike pictures, fonts and objects. */
export const isMarkup = (partName: string): boolean => /\.(?:xml|rels|vml|rdf|x?html?|opf|ncx)$/i.test(partName);

/** Returns whether a member suggests a document; its format is determined later. */
const isDocument = ({ members }: ZipDirectory): boolean =>
  members.some(({ name }) => /^[/\\]?\[content_types\]\.xml$/i.test(name) || name === 'mimetype');

function hasWrongSize(member: ZipMember): boolean {
  const { compressedBytes, declaredBytes, method, encrypted } = member;
  if (method === 0) return !encrypted && compressedBytes !== declaredBytes;
  return compressedBytes > declaredBytes * MAX_EXPANSION + EXPANSION_FREE_BYTES;
}

/** Refuses members that share bytes: they inflate a small file many times, and no regular writer makes them. */
function checkOverlaps({ members, directoryOffset }: ZipDirectory): void {
  let end = 0;
  for (const member of members.toSorted((a, b) => a.offset - b.offset)) {
    if (member.offset < end) throw new ZipProblem('corrupt', 'Members of the archive overlap');
    end = member.offset + LOCAL_HEADER_BYTES + member.nameBytes + member.compressedBytes;
  }
  if (end > directoryOffset) throw new ZipProblem('corrupt', 'The archive is cut off');
}
