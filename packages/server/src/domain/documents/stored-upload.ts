/** The content of an upload: its file in the object store, and the columns of the record that refers to it. */
import type { DocumentRecord } from '../../database/tables.ts';
import { apiError } from '../../errors.ts';
import { isConnectionLoss } from '../../shared/connection-loss.ts';
import { newId } from '../../shared/uuid.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { InspectedFile, Upload } from './types.ts';

/** The outcome of an upload; `created` is false if `record` is an older one with the same bytes. */
export interface CommittedUpload {
  record: DocumentRecord;
  created: boolean;
}

/** Stores the original durably, then runs `commit`; deletes the object if `commit` throws or does not use it. */
export async function storeUpload(
  store: ObjectStore,
  document: Pick<DocumentRecord, 'id' | 'workspace_id' | 'collection_id'>,
  upload: Upload,
  commit: (contentId: string) => Promise<CommittedUpload>,
): Promise<CommittedUpload> {
  const contentId = newId();
  const key = storageKeys.original(document, contentId);
  await store.putFile(key, upload.path);
  try {
    const result = await commit(contentId);
    if (!result.created) await store.delete(key);
    return result;
  } catch (error) {
    // After a lost connection the record may exist and need the file.
    if (!isConnectionLoss(error)) await store.delete(key);
    throw error;
  }
}

/** Returns the columns that describe a content. Throws a 422 for a blank name. */
export function contentColumns(name: string, file: InspectedFile, upload: Upload, contentId: string) {
  if (name.trim() === '') {
    throw apiError(422, 'string_too_short', 'String should have at least 1 character', {
      loc: ['body', 'name'],
      ctx: { min_length: 1 },
    });
  }
  return {
    name,
    format: file.format,
    content_type: file.contentType,
    size_bytes: upload.sizeBytes,
    sha256: upload.sha256,
    content_id: contentId,
    is_archive: file.isArchive,
  };
}
