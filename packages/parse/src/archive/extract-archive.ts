/**
 * Extracts an archive's members to numbered files (never to names from the archive), counts the bytes that are
 * inflated, and reports the format of each member or why it failed. One damaged member does not affect the others; an
 * archive that exceeds a limit fails as a whole. Runs inside the sandbox.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ContentError, type ContentErrorType } from '@quire/blocks/content-error';
import { StorageFull } from '@quire/shared/free-space';
import type { ArchiveMember } from './archive-member.ts';
import { FileRefused, type FileRefusalType } from '../validate/file-refused.ts';
import { inspectUpload } from '../validate/inspect-upload.ts';
import { inflateMember } from './inflate-member.ts';
import { nameMembers, type NamedMember } from './list-members.ts';
import { checkNestedArchive, type NestingBudget } from './nested-archives.ts';
import { withArchive } from './open-archive.ts';
import { checkRatio, type ArchiveLimits } from './zip-limits.ts';

export interface ExtractContext {
  /** Directory for nested archives while they are checked. */
  tempDir: string;
  onProgress: (fraction: number) => void;
}

interface Extraction {
  fd: number;
  sizeBytes: number;
  directory: string;
  limits: ArchiveLimits;
  context: ExtractContext;
  inflatedBytes: number;
  nesting: NestingBudget;
}

interface UnpackedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}

/**
 * Returns the members in the archive's order. Throws `ContentError` if the archive as a whole is damaged or exceeds a
 * limit.
 */
export function extractArchive(
  file: string,
  directory: string,
  limits: ArchiveLimits,
  context: ExtractContext,
): Promise<ArchiveMember[]> {
  return withArchive(file, limits, async ({ fd, sizeBytes, directory: { members } }) => {
    const nesting = { bytes: limits.maxInflatedBytes, members: limits.maxArchiveEntries };
    const extraction: Extraction = { fd, sizeBytes, directory, limits, context, inflatedBytes: 0, nesting };
    const named = nameMembers(members);
    const extracted: ArchiveMember[] = [];
    for (const [index, member] of named.entries()) {
      extracted.push(await extractMember(member, path.join(directory, String(index + 1)), extraction));
      context.onProgress((index + 1) / named.length);
    }
    return extracted;
  });
}

async function extractMember(named: NamedMember, target: string, extraction: Extraction): Promise<ArchiveMember> {
  const name = path.posix.basename(named.archivePath);
  const base = { archivePath: named.archivePath, name };
  let unpacked: UnpackedFile | undefined;
  try {
    if (named.refusal !== undefined) throw new ContentError('unsupported', named.refusal);
    unpacked = await unpack(named, target, extraction);
    const inspected = await inspectUpload(target, name, null, { ...extraction.limits, maxPixels: Infinity });
    if (inspected.isArchive) await checkNested(target, extraction);
    const { format, contentType } = inspected;
    return { ...base, ...unpacked, format, contentType, failure: null };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    rmSync(target, { force: true });
    const { sizeBytes = named.member.declaredBytes, sha256 = '' } = unpacked ?? {};
    return { ...base, path: null, sizeBytes, sha256, format: null, contentType: null, failure };
  }
}

async function unpack(named: NamedMember, target: string, extraction: Extraction): Promise<UnpackedFile> {
  requireRoom(named.member.declaredBytes, extraction);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = openSync(target, 'wx');
  try {
    for await (const bytes of inflateMember(extraction.fd, named.member)) {
      sizeBytes += bytes.length;
      extraction.inflatedBytes += bytes.length;
      checkRatio(extraction.inflatedBytes, extraction.sizeBytes, extraction.limits);
      hash.update(bytes);
      writeFileSync(file, bytes);
    }
  } finally {
    closeSync(file);
  }
  return { path: target, sizeBytes, sha256: hash.digest('hex') };
}

/** Throws `StorageFull` before a member would take space that the service needs. */
function requireRoom(bytes: number, { directory, limits: { minFreeBytes = 0 } }: Extraction): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < bytes + minFreeBytes)
    throw new StorageFull('The disk has no space for the members of the archive');
}

/** Checks an archive inside the uploaded one, which is at depth 1. All nested archives share one budget. */
function checkNested(file: string, extraction: Extraction): Promise<void> {
  return checkNestedArchive(file, 2, extraction.nesting, extraction.limits, extraction.context.tempDir);
}

/** Maps the refusal of a member to the error type of its document. */
const MEMBER_FAILURES: Readonly<Record<FileRefusalType, ContentErrorType>> = {
  unsupported_file_type: 'unsupported',
  file_type_mismatch: 'unsupported',
  corrupt: 'corrupt',
  encrypted: 'encrypted',
  file_empty: 'no_text',
  archive_too_large: 'too_large',
  too_many_files: 'too_large',
  file_too_large: 'too_large',
};

/** Returns undefined for errors that the member did not cause. */
function failureOf(error: unknown): ArchiveMember['failure'] | undefined {
  if (error instanceof ContentError) return { type: error.type, message: error.message };
  if (!(error instanceof FileRefused)) return undefined;
  return { type: MEMBER_FAILURES[error.type], message: error.message };
}
