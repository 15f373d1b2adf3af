/** The checks that a zip's directory must pass before anything of it is inflated: archives, OOXML and ODF alike. */
import type { ZipDirectory, ZipMember } from './zip-directory.ts';

export interface ArchiveLimits {
  maxInflatedBytes: number;
  maxArchiveEntries: number;
  maxArchiveRatio: number;
  maxArchiveDepth: number;
}

/** What is wrong, for the api (413, 422) and for the sandbox (`ContentError`) to put into their own words. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem';
  readonly kind: 'tooLarge' | 'tooManyMembers' | 'corrupt' | 'encrypted';
  /** Of what is too large or too many. */
  readonly limit: number | undefined;

  constructor(kind: ZipProblem['kind'], message: string, limit?: number) {
    super(message);
    this.kind = kind;
    this.limit = limit;
  }
}

/** Small files may compress as well as they like (CONTRACT section 11). */
const RATIO_FREE_BYTES = 100 * 1024;
/** Of an office file's pictures, fonts and objects together: a blank EMF of a chart takes 1.5 MB and packs to 4 kB. */
export const TIGHT_BYTES = 16 * 1024 * 1024;
const LOCAL_HEADER_BYTES = 30;
/** Deflate adds 5 bytes to each 16 kB that it cannot shrink; twice the size is a lie about it. */
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
    if (liesAboutSize(member))
      throw new ZipProblem('corrupt', `The size of '${member.name}' in the archive is not true`);
  }
  if (declared > limits.maxInflatedBytes) {
    throw new ZipProblem(
      'tooLarge',
      `The file unpacks to more than ${limits.maxInflatedBytes} bytes`,
      limits.maxInflatedBytes,
    );
  }
  const tight = isOffice(directory) ? Math.min(declared - declaredMarkup, TIGHT_BYTES) : 0;
  checkRatio(declared - tight, compressed, limits);
  checkOverlaps(directory);
  const files = directory.members.filter((member) => !member.directory);
  if (files.length > 0 && files.every((member) => member.encrypted)) {
    throw new ZipProblem('encrypted', 'The archive needs a password');
  }
}

/** Throws `ZipProblem`. For bytes as the directory states them, and for those that really came out. */
export function checkRatio(inflatedBytes: number, compressedBytes: number, limits: ArchiveLimits): void {
  if (inflatedBytes > RATIO_FREE_BYTES && inflatedBytes > compressedBytes * limits.maxArchiveRatio) {
    const limit = limits.maxArchiveRatio;
    throw new ZipProblem('tooLarge', `The file unpacks to more than ${limit} times its size`, limit);
  }
}

/** Whether an office file's part is XML, which readers take in as a whole; the others are pictures, fonts, objects. */
export const isMarkup = (partName: string): boolean => /\.(?:xml|rels|vml|rdf|x?html?|opf|ncx)$/i.test(partName);

/** Whether it has the part that office files alone have; what the file is in truth is found out afterwards. */
const isOffice = ({ members }: ZipDirectory): boolean =>
  members.some(({ name }) => /^[/\\]?\[content_types\]\.xml$/i.test(name) || name === 'mimetype');

function liesAboutSize(member: ZipMember): boolean {
  const { compressedBytes, declaredBytes, method, encrypted } = member;
  if (method === 0) return !encrypted && compressedBytes !== declaredBytes;
  return compressedBytes > declaredBytes * MAX_EXPANSION + EXPANSION_FREE_BYTES;
}

/** Members that share bytes inflate a small file many times over; no writer makes them. */
function checkOverlaps({ members, directoryOffset }: ZipDirectory): void {
  let end = 0;
  for (const member of members.toSorted((a, b) => a.offset - b.offset)) {
    if (member.offset < end) throw new ZipProblem('corrupt', 'Members of the archive overlap');
    end = member.offset + LOCAL_HEADER_BYTES + member.nameBytes + member.compressedBytes;
  }
  if (end > directoryOffset) throw new ZipProblem('corrupt', 'The archive is cut off');
}
