/** The errors by which an upload is refused (CONTRACT section 1): one place for their types and words. */
import { apiError, type ApiError } from '../../errors.ts';
import type { ZipProblem } from '../archive/zip-limits.ts';

const LOC = ['body', 'file'] as const;

export const unsupportedType = (extension: string, detected: string | null): ApiError =>
  apiError(
    415,
    'unsupported_file_type',
    extension === ''
      ? 'The file name has no extension, and neither content nor content type tells what it is'
      : `Files of type .${extension} are not supported`,
    { loc: LOC, ctx: { extension, detected } },
  );

export const typeMismatch = (extension: string, detected: string): ApiError =>
  apiError(415, 'file_type_mismatch', `The file is named .${extension}, but its content is ${detected}`, {
    loc: LOC,
    ctx: { extension, detected },
  });

export const corruptFile = (reason: string): ApiError =>
  apiError(422, 'file_corrupt', reason, { loc: LOC, ctx: { error: reason } });

export const encryptedFile = (): ApiError =>
  apiError(422, 'file_encrypted', 'The file is protected by a password', { loc: LOC });

export const emptyFile = (): ApiError => apiError(422, 'file_empty', 'The file is empty', { loc: LOC });

export const tooManyPixels = (pixels: number, limit: number): ApiError =>
  apiError(413, 'file_too_large', `The image has ${pixels} pixels, more than ${limit}`, {
    loc: LOC,
    ctx: { limit, pixels },
  });

export function zipRefusal(problem: ZipProblem): ApiError {
  if (problem.kind === 'encrypted') return encryptedFile();
  if (problem.kind === 'corrupt') return corruptFile(problem.message);
  const type = problem.kind === 'tooLarge' ? 'archive_too_large' : 'too_many_files';
  return apiError(413, type, problem.message, { loc: LOC, ctx: { limit: problem.limit } });
}
