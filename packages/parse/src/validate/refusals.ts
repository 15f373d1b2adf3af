/** The types and messages of all upload refusals. */
import type { ZipProblem } from '../archive/zip-limits.ts';
import { FileRefused } from './file-refused.ts';

/** Extensions that are refused although their content is read under another name. */
const HINTS: Readonly<Record<string, string>> = { rtf: ': rename the file to .doc, and it is read as RTF' };

export const unsupportedType = (extension: string, detected: string | null): FileRefused =>
  new FileRefused(
    'unsupported_file_type',
    extension === ''
      ? 'The file name has no extension, and neither its content nor its content type identifies it'
      : `Files of type .${extension} are not supported${HINTS[extension] ?? ''}`,
    { extension, detected },
  );

export const typeMismatch = (extension: string, detected: string): FileRefused =>
  new FileRefused('file_type_mismatch', `The file is named .${extension}, but its content is ${detected}`, {
    extension,
    detected,
  });

export const corruptFile = (reason: string): FileRefused => new FileRefused('corrupt', reason, { error: reason });

export const encryptedFile = (): FileRefused => new FileRefused('encrypted', 'The file is protected by a password');

export const emptyFile = (): FileRefused => new FileRefused('file_empty', 'The file is empty');

export const tooManyPixels = (pixels: number, limit: number): FileRefused =>
  new FileRefused('file_too_large', `The image has ${pixels} pixels, more than ${limit}`, { limit, pixels });

export function zipRefusal(problem: ZipProblem): FileRefused {
  if (problem.kind === 'encrypted') return encryptedFile();
  if (problem.kind === 'corrupt') return corruptFile(problem.message);
  const type = problem.kind === 'tooLarge' ? 'archive_too_large' : 'too_many_files';
  return new FileRefused(type, problem.message, { limit: problem.limit });
}
