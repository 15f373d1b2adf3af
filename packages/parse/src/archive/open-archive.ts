/** Opens a zip file and checks its directory. For use inside the sandbox, where problems become `ContentError`s. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { ContentError } from '@quire/blocks/content-error';
import { readZipDirectory, TooManyMembersError, ZipFormatError, type ZipDirectory } from './zip-directory.ts';
import { checkZipLimits, ZipProblem, type ArchiveLimits } from './zip-limits.ts';

export interface OpenArchive {
  fd: number;
  sizeBytes: number;
  directory: ZipDirectory;
}

const CONTENT_TYPES = {
  tooLarge: 'too_large',
  tooManyMembers: 'too_large',
  corrupt: 'corrupt',
  encrypted: 'encrypted',
} as const;

/** Reads and checks the directory. Throws `ZipProblem`. */
export function readCheckedDirectory(fd: number, sizeBytes: number, limits: ArchiveLimits): ZipDirectory {
  const directory = readDirectory(fd, sizeBytes, limits.maxArchiveEntries);
  checkZipLimits(directory, limits);
  return directory;
}

export async function withArchive<Result>(
  path: string,
  limits: ArchiveLimits,
  use: (archive: OpenArchive) => Promise<Result>,
): Promise<Result> {
  const fd = openSync(path, 'r');
  try {
    const sizeBytes = fstatSync(fd).size;
    return await use({ fd, sizeBytes, directory: readCheckedDirectory(fd, sizeBytes, limits) });
  } catch (error) {
    throw error instanceof ZipProblem ? new ContentError(CONTENT_TYPES[error.kind], error.message) : error;
  } finally {
    closeSync(fd);
  }
}

function readDirectory(fd: number, sizeBytes: number, maxMembers: number): ZipDirectory {
  try {
    return readZipDirectory(fd, sizeBytes, maxMembers);
  } catch (error) {
    if (error instanceof TooManyMembersError) {
      throw new ZipProblem('tooManyMembers', `The archive holds more than ${maxMembers} members`, maxMembers);
    }
    if (error instanceof ZipFormatError) throw new ZipProblem('corrupt', error.message);
    throw error;
  }
}
