/** Maps the refusal of an uploaded file to the error that the client gets. This is the only such mapping. */
import { apiError, type ApiError } from '../../errors.ts';
import type { FileRefusalType, FileRefused } from '@quire/parse/validate/file-refused';

const STATUS: Readonly<Record<FileRefusalType, number>> = {
  unsupported_file_type: 415,
  file_type_mismatch: 415,
  corrupt: 422,
  encrypted: 422,
  file_empty: 422,
  file_too_large: 413,
  archive_too_large: 413,
  too_many_files: 413,
};

export function refusalError({ type, message, context }: FileRefused): ApiError {
  return apiError(STATUS[type], type, message, { loc: ['body', 'file'], ...(context && { ctx: { ...context } }) });
}
