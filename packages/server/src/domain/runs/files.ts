/** The files of a run, as its record describes them. */
import type { RunFile } from '../../database/tables.ts';
import { apiError, type ApiError } from '../../errors.ts';
import { newId } from '../../shared/uuid.ts';
import type { InspectUpload, Upload } from '../documents/types.ts';

/** Returns the record of an uploaded file. Throws `ApiError` for a file that cannot be read. */
export async function describeFile(inspectUpload: InspectUpload, upload: Upload): Promise<RunFile> {
  const { format, contentType } = await inspectUpload(upload);
  const { name, sizeBytes, sha256 } = upload;
  return { id: newId(), name, format, contentType, sizeBytes, sha256 };
}

export const tooManyFiles = (limit: number): ApiError =>
  apiError(413, 'too_many_files', `A run takes ${limit} files at most`, { loc: ['body', 'files'], ctx: { limit } });
